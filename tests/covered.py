"""Which tests hold a module that has no test file at its own path.

A module with logic has its tests at the same path (`wallboard/calls/legs.py`: `tests/calls/test_legs.py`) or
stands here. Those that only declare need neither: `models admin apps urls tasks texts`.
"""

from tests.covered_programs import COVERED_OF_PROGRAMS

COVERED = COVERED_OF_PROGRAMS | {  # by folder: the modules, and the tests that hold them
    "": (
        "__main__ celery checks environment folders matrix metrics middleware moved_models",
        """test_settings.py test_health.py test_setup.py setup/test_status_checks.py security/test_headers.py
            security/test_matrix.py security/test_canaries.py queues/test_tasks.py operations/test_problems.py
            test_upgrade.py test_package.py""",
    ),
    "accounts": (
        """access audit audit_anonymizing audited_admin encryption forms limits query_values
            validators""",
        """accounts/test_tokens.py accounts/test_login_flow.py accounts/test_link_flow.py accounts/test_secrets.py
            accounts/test_admin.py accounts/test_pages_browser.py security/test_audit.py security/test_limits.py
            security/test_query_values.py test_upgrade.py""",
    ),
    "accounts/languages": ("audit_labels", "accounts/languages/test_admin_names.py"),
    "accounts/companies": ("addresses installation_row key_sites", "accounts/companies/test_hosts.py"),
    "accounts/management/commands": (
        "newkey person rotate_keys unlock",
        "accounts/test_people.py accounts/test_secrets.py accounts/test_admin.py test_setup.py",
    ),
    "accounts/signin": (
        "client_address fetch_metadata joining passkey_rows pending proof_texts recent sessions",
        """accounts/signin/test_login.py accounts/signin/test_identity.py accounts/signin/test_start_throttle.py
            accounts/test_login_flow.py security/test_headers.py setup/test_status_checks.py setup/test_first_key.py
            accounts/signin/test_passkeys.py""",
    ),
    "accounts/templatetags": ("formats sheets", "reports/test_reports_page.py calls/log/test_log_browser.py"),
    "accounts/tokens": (
        "clients key_rotation refresh",
        "accounts/test_tokens.py accounts/test_doubts.py accounts/test_races.py accounts/test_secrets.py",
    ),
    "accounts/views": (
        "account limits link passkeys people signin",
        """accounts/test_people.py accounts/test_link_flow.py accounts/test_login_flow.py security/test_limits.py
            accounts/signin/test_passkeys.py""",
    ),
    "alerts": (
        "documents evaluation forms kinds records rules sheet views visibility wording",
        """alerts/test_lifecycle.py alerts/test_alert_pages.py alerts/test_alert_flow.py
            alerts/test_conditions.py""",
    ),
    "calibration": (
        "alerting applying engine feeding floor_view locks observations page picture views",
        """calibration/test_findings.py calibration/test_calibration_page.py calibration/test_floor_runs.py
            reports/test_queue_calls.py""",
    ),
    "figures": (
        "figure of_calls of_cards of_operations of_queues of_reports phrases",
        "figures/test_registry.py calibration/test_figure_words.py",
    ),
    "figures/templatetags": ("figures", "figures/test_registry.py figures/test_every_figure_browser.py"),
    "calibration/questions": ("agents base delays legs records times waits", "calibration/test_floor_runs.py"),
    "alerts/detecting": (
        "findings looking opening",
        "alerts/detecting/test_queues.py alerts/detecting/test_provider.py alerts/detecting/test_callbacks.py",
    ),
    "alerts/ruling": ("kind_rules preview widgets", "alerts/test_kind_rules.py alerts/test_alert_pages.py"),
    "alerts/templatetags": ("alert_badge", "alerts/test_alert_flow.py alerts/test_sound.py"),
    "notifications": (
        "choices history hours links mail_servers messages push_keys trying",
        """notifications/deciding/test_planning.py notifications/sending/test_deliveries.py
            notifications/channels/test_outcomes.py notifications/channels/test_webpush.py
            notifications/test_pages.py""",
    ),
    "notifications/deciding": ("batches", "notifications/deciding/test_planning.py"),
    "notifications/forms": ("addresses filters", "notifications/test_pages.py notifications/test_filters.py"),
    "notifications/sending": ("pool", "notifications/sending/test_deliveries.py"),
    "notifications/templatetags": ("alert_messages", "notifications/test_pages.py"),
    "notifications/views": (
        "acknowledge addresses confirm manage mine mutes push",
        """notifications/test_pages.py notifications/test_addresses.py notifications/test_push_devices.py
            notifications/test_confirming.py""",
    ),
    "boards": (
        "default_board forms permissions starters themes time_zones",
        "boards/test_editing.py boards/test_pages.py boards/test_editor_starters.py boards/test_board_clock.py",
    ),
    "boards/cards": (
        "card figures kinds parsing",
        "boards/test_layout.py boards/test_card_figures.py boards/test_board_cards.py",
    ),
    "boards/editor": ("drafts editors_online", "boards/test_editor_drafts.py boards/test_editor_merge.py"),
    "boards/views": (
        "board editor images",
        "boards/test_pages.py boards/test_editor_saving.py boards/test_images.py",
    ),
    "calls": (
        "area_codes detail_records forms leg_store visible_calls",
        """calls/webhooks/test_intake.py calls/test_documents.py calls/test_places.py security/test_limits.py
            boards/test_pages.py security/test_query_values.py""",
    ),
    "calls/gaps": ("sentences", "calls/gaps/test_coverage.py"),
    "calls/log": ("newest", "calls/log/test_search.py"),
    "calls/presence": (
        "documents favourites sheet states status_form",
        "calls/presence/test_statuses.py calls/test_documents.py calls/views/test_people.py",
    ),
    "calls/retention": (
        "anonymizing retention traces",
        "privacy/test_erasing.py privacy/test_retention.py",
    ),
    "calls/subscriptions": ("expiry maintenance post_addresses", "calls/test_subscriptions.py calls/test_replacing.py"),
    "calls/views": (
        "calls link_number",
        "calls/log/test_search.py calls/views/test_clearing.py accounts/test_link_flow.py",
    ),
    "calls/webhooks": (
        "replays secret_throttle spool views",
        """calls/webhooks/test_receive.py calls/test_sweeping.py calls/test_processes.py security/test_guesses.py
            security/test_replays.py""",
    ),
    "contacts": (
        "bulk_import caller_ids erasing forms import_files safe_text",
        """contacts/test_address_book.py contacts/test_imports.py contacts/test_contact_pages.py
            contacts/test_search.py privacy/test_erasing.py security/test_hostile_text.py""",
    ),
    "contacts/templatetags": (
        "caller_id_formats",
        """contacts/test_address_book.py contacts/test_imports.py contacts/test_contact_pages.py
            contacts/test_search.py security/test_hostile_text.py""",
    ),
    "contacts/views": (
        "contacts imports",
        """contacts/test_address_book.py contacts/test_imports.py contacts/test_contact_pages.py
            contacts/test_search.py security/test_hostile_text.py""",
    ),
    "demo": (
        "leash redis_server run supervisor",
        "flows/test_demo.py demo/test_folder.py",
    ),
    "desk": (
        "callback_sheet callback_subjects notes outcomes permissions",
        """desk/test_desk_views.py desk/test_dialled.py desk/test_callbacks.py
            alerts/detecting/test_callbacks.py""",
    ),
    "desk/card": (
        "call_history caller earlier_calls summary transfers",
        "desk/card/test_card.py desk/test_desk_views.py",
    ),
    "desk/views": (
        "callbacks desk rules",
        "desk/test_desk_views.py desk/test_rules.py desk/test_callbacks.py",
    ),
    "forecast": (
        "courses forecasting outlook page views what_if_form",
        "forecast/test_calls_ahead.py forecast/test_next_hour.py forecast/test_what_if.py",
    ),
    "forecast/templatetags": ("forecasts", "forecast/test_next_hour.py forecast/test_what_if.py"),
    "live": (
        "asgi connections control frames mirror publish release since sockets",
        """live/test_hub.py live/test_hub_healing.py live/test_following.py live/test_mending.py live/test_pump.py
            live/test_recovery.py""",
    ),
    "live/backends": ("clusters sentinels", "live/backends/test_redis_groups.py"),
    "live/servers": (
        "daphne_headers daphne_memory interface plain",
        "live/servers/test_daphne.py live/servers/test_detection.py live/test_servers.py live/test_hub_pace.py",
    ),
    "management/commands": (
        "backup company demo demo_company doctor matrix open_keys restore setup watch",
        """test_setup.py flows/test_demo.py security/test_matrix.py operations/test_problems.py
            operations/test_backups.py flows/test_backup.py flows/test_doctor.py setup/test_companies.py""",
    ),
    "operations": (
        "drills dumps passphrases restoring",
        "operations/test_backups.py operations/test_sealed_keys.py flows/test_backup.py",
    ),
    "operations/doctor": (
        "address companies database examination findings machine services",
        "flows/test_doctor.py",
    ),
    "privacy": (
        "number_report views",
        "privacy/test_privacy_page.py privacy/test_erasing.py",
    ),
    "queues": (
        "documents figures forms json_field level_minutes past_changes queue_table retention trends",
        """reports/rollups/test_rolling.py queues/test_polling.py queues/test_samples.py queues/test_editing.py
            queues/views/test_queues.py queues/views/test_targets.py""",
    ),
    "queues/hours": ("timetables", "queues/hours/test_calendar.py"),
    "queues/targets": ("previews table", "queues/views/test_targets.py queues/targets/test_levels.py"),
    "replay": (
        "answers cutting day departures erasing flushing moments patches reading retention rewriting stream tracks",
        "replay/test_recorder.py replay/test_recording.py replay/test_frames.py replay/test_forgetting.py "
        "replay/test_page.py",
    ),
    "replay/views": ("frames page", "replay/test_frames.py replay/test_page.py"),
    "reports/mails": (
        "charts editing forms pictures views",
        "reports/mails/test_making.py reports/mails/test_choices.py",
    ),
    "reports/own": ("days views", "reports/own/test_mine.py"),
    "reports/rollups": (
        """asked_limits calls days groups packed queued repeat_callers sample_sums samples still_missing sum_keys
            sums_of_sets""",
        """reports/rollups/test_rolling.py reports/rollups/test_pages.py
            reports/rollups/test_queue_sums.py reports/rollups/test_call_sums.py""",
    ),
    "reports/service": (
        "alert_counts by_queue counting forms previews rules targets trying views",
        """reports/service/test_service_page.py reports/service/test_today.py reports/test_queue_calls.py
            reports/service/test_alerting.py""",
    ),
    "reports/templatetags": (
        "alert_responses comparisons report_mails service_levels service_targets",
        """reports/test_queue_calls.py queues/views/test_targets.py reports/service/test_service_page.py
            reports/test_alert_response.py reports/comparison/test_sides.py reports/mails/test_making.py""",
    ),
    "reports": (
        "day_ribbon external_calls figures hour_figures period_parts sheets views",
        """reports/test_reports_page.py reports/test_day_figures.py boards/test_card_figures.py
            reports/test_heat_map.py reports/test_trends.py""",
    ),
    "screens": (
        "engines forms",
        "screens/test_screens.py screens/test_pairing.py screens/test_rotations.py screens/test_heartbeats.py",
    ),
    "screens/embeds": ("figures", "screens/embeds/test_picture.py"),
    "screens/management/commands": ("screen", "screens/test_screens.py flows/test_demo.py"),
    "screens/views": (
        "embed embeds images rotations screens tv",
        """screens/test_screens.py screens/test_rotations.py screens/test_tv_flow.py screens/embeds/test_links.py
            screens/test_embed_browser.py""",
    ),
    "setup": (
        "address_check alerting failures forms message_checks",
        "setup/test_agent_mismatch.py notifications/test_pages.py setup/test_start.py setup/test_status_checks.py",
    ),
    "setup/starting": ("answers steps way_in", "setup/test_start.py flows/test_doctor.py"),
    "setup/templatetags": ("looks places", "setup/test_brands.py"),
    "setup/views": (
        "address callers brand companies first guides manage setup start start_floor",
        "setup/test_brands.py setup/test_first_key.py setup/test_companies.py setup/callers/test_records.py",
    ),
    "simulator": (
        "options provider settings types undocumented",
        "simulator/test_simulate_command.py simulator/test_stream.py simulator/test_docs.py",
    ),
    "simulator/control": (
        "call_watches calls dialect faults fields logs routes state",
        "simulator/control/test_control.py simulator/faults/test_faults.py",
    ),
    "simulator/deliveries": (
        "delivery_log outbox",
        "simulator/deliveries/test_deliveries.py",
    ),
    "simulator/dialect": (
        "switches values",
        "simulator/dialect/test_changes.py simulator/dialect/test_time_switches.py",
    ),
    "simulator/faults": (
        "delivery_faults response_faults",
        "simulator/faults/test_faults.py",
    ),
    "simulator/floor": (
        "calls company day demo_scenario endpoints floor names placed_calls routing",
        "simulator/floor/test_call_flows.py simulator/floor/test_traffic.py",
    ),
    "simulator/management/commands": (
        "simulate",
        "simulator/test_simulate_command.py simulator/test_stream.py simulator/test_docs.py",
    ),
    "simulator/messages": (
        """detail_records endpoint_fields initialization odd_messages publisher queue_statistics queue_waits
            record_batches times""",
        "simulator/messages/test_call_messages.py simulator/dialect/test_record_switches.py",
    ),
    "simulator/pages": ("rendering", "simulator/pages/test_overview.py simulator/pages/test_pages_browser.py"),
    "simulator/service": (
        """app authentication errors middleware request_body request_log server service subscription_answers
            subscription_fields subscriptions""",
        """simulator/service/test_hostile_requests.py simulator/service/test_statistics_endpoint.py
            simulator/service/test_subscription_endpoints.py""",
    ),
    "simulator/service/oauth": (
        "applications authorization_codes token_answers tokens",
        """simulator/service/test_hostile_requests.py simulator/service/test_statistics_endpoint.py
            simulator/service/test_subscription_endpoints.py""",
    ),
    "sockets": (
        "hub_runtime marks socket_access sources",
        """sockets/test_reauthorization.py sockets/test_comparing.py security/test_sockets.py
            security/test_limited_sockets.py""",
    ),
    "telephony": (
        "decoding errors",
        "telephony/test_resources.py telephony/test_oauth.py telephony/test_transport.py",
    ),
}
