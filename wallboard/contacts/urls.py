"""The address book, below the desk's address."""

from django.urls import path

from wallboard.contacts.views import contacts, imports

app_name = "contacts"
urlpatterns = [
    path("", contacts.contact_list, name="contacts"),
    path("add/", contacts.add_contact, name="add"),
    path("export/", contacts.export_contacts, name="export"),
    path("<int:contact_id>/", contacts.edit_contact, name="edit"),
    path("<int:contact_id>/merge/", contacts.merge_contact, name="merge"),
    path("<int:contact_id>/remove/", contacts.remove_contact, name="remove"),
    path("import/", imports.choose_file, name="import"),
    path("import/<int:import_id>/", imports.import_state, name="import_state"),
    path("import/<int:import_id>/columns/", imports.change_columns, name="change_columns"),
    path("import/<int:import_id>/skip/", imports.skip_bad_lines, name="skip_bad_lines"),
]
