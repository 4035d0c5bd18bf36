from django.urls import path

from wallboard.desk import callback_views, contact_views, import_views, offer_views, rule_views, views

app_name = "desk"
urlpatterns = [
    path("", views.desk, name="desk"),
    path("pop/", views.pop, name="pop"),
    path("renew/", views.renew, name="renew"),
    path("release/", views.release, name="release"),
    path("close/", views.close, name="close"),
    path("note/", views.note, name="note"),
    path("day/", views.today, name="day"),
    path("contact/", views.save_contact, name="save_contact"),
    path("call-backs/", callback_views.call_backs, name="call_backs"),
    path("call-backs/change/", callback_views.change_call_back, name="change_call_back"),
    path("rules/", rule_views.save_rules, name="save_rules"),
    path("rules/quiet/", rule_views.be_quiet, name="be_quiet"),
    path("rules/ignore/", rule_views.ignore, name="ignore"),
    path("offers/", offer_views.offered, name="offers"),
    path("contacts/", contact_views.contact_list, name="contacts"),
    path("contacts/add/", contact_views.add_contact, name="add_contact"),
    path("contacts/export/", contact_views.export_contacts, name="export_contacts"),
    path("contacts/<int:contact_id>/", contact_views.edit_contact, name="edit_contact"),
    path("contacts/<int:contact_id>/merge/", contact_views.merge_contact, name="merge_contact"),
    path("contacts/<int:contact_id>/remove/", contact_views.remove_contact, name="remove_contact"),
    path("contacts/import/", import_views.choose_file, name="import_contacts"),
    path("contacts/import/<int:import_id>/", import_views.import_state, name="import_state"),
    path("contacts/import/<int:import_id>/columns/", import_views.change_columns, name="change_columns"),
    path("contacts/import/<int:import_id>/skip/", import_views.skip_bad_lines, name="skip_bad_lines"),
]
