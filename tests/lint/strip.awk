# SPDX-License-Identifier: Apache-2.0
#
# C without comments and without what is in quotes, as "file:line:text".

FNR == 1 {
	in_comment = 0
	continued = 0
}

{
	out = ""
	len = length($0)
	if (!continued)
		quote = ""
	continued = 0
	line_comment = carry
	carry = 0
	for (i = 1; i <= len; i++) {
		c = substr($0, i, 1)
		two = substr($0, i, 2)
		if (line_comment) {
			carry = substr($0, len, 1) == "\\"
			break
		}
		if (in_comment) {
			if (two == "*/") {
				in_comment = 0
				out = out " "
				i++
			}
		} else if (quote != "") {
			if (c == "\\") {
				if (i == len)
					continued = 1
				i++
			} else if (c == quote) {
				quote = ""
				out = out c
			}
		} else if (two == "/*") {
			in_comment = 1
			i++
		} else if (two == "//") {
			line_comment = 1
		} else {
			if (c == "\"" || c == "'")
				quote = c
			out = out c
		}
	}
	print FILENAME ":" FNR ":" out
}
