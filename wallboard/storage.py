"""Static files under names that carry their content's hash, ES module imports included."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class HashedStaticFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Rewrites `import … from "./x.js";` too, so that a module and what it imports always belong together."""

    support_js_module_import_aggregation = True
    manifest_strict = False
