"""Entry of the worker process: loads the runtime beside this file, then runs it.

Nothing is added to ``sys.path``: the runtime is bound to its own folder, so that it neither
shadows nor is shadowed by what a tool file imports. A ``multiprocessing`` child that starts a
fresh interpreter runs this file again under the name ``__mp_main__``; then only the module
finders are put in place, so that the child can import the parent's tool files. With the argument
``outline`` it tells what a file on standard input will offer, and runs nothing of it.
"""

import importlib
import importlib.util
import os
import sys

PACKAGE = "tooldock_worker"


def bind_runtime() -> None:
    """Make this file's folder the package ``tooldock_worker``, wherever it lies."""
    folder = os.path.dirname(os.path.abspath(__file__))
    spec = importlib.util.spec_from_file_location(
        PACKAGE, os.path.join(folder, "__init__.py"), submodule_search_locations=[folder]
    )
    if spec is None or spec.loader is None:
        raise SystemExit(f"the worker runtime in `{folder}` cannot be loaded")
    module = importlib.util.module_from_spec(spec)
    sys.modules[PACKAGE] = module
    spec.loader.exec_module(module)


if __name__ in {"__main__", "__mp_main__"}:
    if PACKAGE not in sys.modules:
        bind_runtime()
    if sys.argv[1:] == ["outline"]:
        importlib.import_module(f"{PACKAGE}.outline").run()
    elif __name__ == "__main__":
        # Before anything else is imported, so that the warden stays small.
        importlib.import_module(f"{PACKAGE}.inheritance").drop_inherited()
        importlib.import_module(f"{PACKAGE}.memory").hide_memory()
        importlib.import_module(f"{PACKAGE}.warden").fork_worker()
        importlib.import_module(f"{PACKAGE}.process").run()
    else:
        importlib.import_module(f"{PACKAGE}.memory").hide_memory()
        importlib.import_module(f"{PACKAGE}.finders").install_inherited()
