"""Static files under names that carry their content's hash, ES module imports included."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class HashedStaticFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Rewrites `import … from "./x.js";` too, so that a module and what it imports always belong together."""

    support_js_module_import_aggregation = True
    max_post_process_passes = 30  # a name settles once all that its file imports have settled: chains of a dozen files
    manifest_strict = False
