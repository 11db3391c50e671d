# SPDX-License-Identifier: Apache-2.0
# Pages by hand; a function without a page of its own has a stub that names
# one.  The pages of the programs are in harness-adapters/cli/cli.mk.
dist_man_MANS += \
	docs/man/libsandbox.7 \
	docs/man/sbx_client.3 \
	docs/man/sbx_client_ask.3 \
	docs/man/sbx_client_cancel.3 \
	docs/man/sbx_client_close.3 \
	docs/man/sbx_client_delegate.3 \
	docs/man/sbx_client_end.3 \
	docs/man/sbx_client_fd.3 \
	docs/man/sbx_client_init.3 \
	docs/man/sbx_client_list.3 \
	docs/man/sbx_client_log.3 \
	docs/man/sbx_client_narrow.3 \
	docs/man/sbx_client_open.3 \
	docs/man/sbx_client_ready.3 \
	docs/man/sbx_client_receive.3 \
	docs/man/sbx_client_release.3 \
	docs/man/sbx_client_request.3 \
	docs/man/sbx_client_request_answer.3 \
	docs/man/sbx_client_wait.3 \
	docs/man/sbx_enter_self.3 \
	docs/man/sbx_error.3 \
	docs/man/sbx_grant.3 \
	docs/man/sbx_policy.3 \
	docs/man/sbx_policy.5 \
	docs/man/sbx_policy_compile.3 \
	docs/man/sbx_policy_dry_run.3 \
	docs/man/sbx_policy_env.3 \
	docs/man/sbx_policy_label.3 \
	docs/man/sbx_policy_limit.3 \
	docs/man/sbx_policy_load.3 \
	docs/man/sbx_policy_network.3 \
	docs/man/sbx_policy_never_together.3 \
	docs/man/sbx_policy_new.3 \
	docs/man/sbx_policy_path.3 \
	docs/man/sbx_policy_path_at.3 \
	docs/man/sbx_policy_protect.3 \
	docs/man/sbx_policy_purpose.3 \
	docs/man/sbx_policy_ref.3 \
	docs/man/sbx_policy_require.3 \
	docs/man/sbx_policy_rule.3 \
	docs/man/sbx_policy_subset.3 \
	docs/man/sbx_policy_unref.3 \
	docs/man/sbx_probe.3 \
	docs/man/sbx_remedy_text.3 \
	docs/man/sbx_report.3 \
	docs/man/sbx_report_free.3 \
	docs/man/sbx_report_json.3 \
	docs/man/sbx_report_row.3 \
	docs/man/sbx_report_tier.3 \
	docs/man/sbx_spawn.3 \
	docs/man/sbx_step_name.3 \
	docs/man/sbx_syscall_set.3 \
	docs/man/sbx_task_close_stdio.3 \
	docs/man/sbx_task_dispatch.3 \
	docs/man/sbx_task_fd.3 \
	docs/man/sbx_task_kill.3 \
	docs/man/sbx_task_pidfd.3 \
	docs/man/sbx_task_ref.3 \
	docs/man/sbx_task_report.3 \
	docs/man/sbx_task_stdio.3 \
	docs/man/sbx_task_unref.3 \
	docs/man/sbx_task_userdata.3 \
	docs/man/sbx_task_wait.3

dist_doc_DATA = \
	CHANGELOG.md \
	README.md \
	SECURITY.md \
	docs/architecture.md \
	docs/kernel-support.md \
	docs/threat-model.md \
	docs/syscalls.md \
	docs/wire.md
