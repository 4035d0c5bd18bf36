"""Manage, whether everything is connected, and the company's own look."""

from django.urls import path

from wallboard.setup.views import address, brand, callers, companies, first, guides, manage, setup, start

app_name = "setup"
urlpatterns = [
    path("manage/", manage.manage, name="manage"),
    path("setup/", setup.setup, name="setup"),
    path("setup/poll/", setup.poll_now, name="poll_now"),
    path("setup/check/", setup.check_now, name="check_now"),
    path("setup/callers/", callers.callers, name="callers"),
    path("desk/record/", callers.record, name="caller_record"),
    path("setup/first/<str:key>/", first.first, name="first"),
    path("setup/first/<str:key>/passkey/", first.passkey_options, name="first_passkey"),
    path("setup/start/", start.start, name="start"),
    path("setup/start/events/state/", start.events_state, name="start_events"),
    path("setup/start/<slug:key>/", start.step, name="start_step"),
    path("setup/address/", address.address, name="address"),
    path("setup/address/<str:key>/", address.arrive, name="arrive"),
    path("operator/companies/", companies.companies, name="companies"),
    path("operator/companies/<int:company_id>/", companies.company, name="company"),
    path("operator/companies/<int:company_id>/pause/", companies.pause, name="pause_company"),
    path("operator/companies/<int:company_id>/resume/", companies.resume, name="resume_company"),
    path("operator/companies/<int:company_id>/invite/", companies.invite, name="invite_administrator"),
    path("operator/companies/<int:company_id>/remove/", companies.remove, name="remove_company"),
    path("help/", guides.guide, name="guides"),
    path("help/pictures/<str:file>", guides.picture, name="guide_picture"),
    path("help/<slug:name>/", guides.guide, name="guide"),
    path("brand/", brand.brand, name="brand"),
    path("brand/theme/", brand.choose_theme, name="choose_theme"),
    path("brand/mirrored/<str:digest>/", brand.mirrored_style, name="rtl_style"),
    path("brand/<int:domain_id>/<str:digest>/", brand.brand_style, name="brand_style"),
]
