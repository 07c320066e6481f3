"""Libraries that others import for what is never asked of them: they load when something of them is called."""

import functools
import importlib
import sys
from collections.abc import Callable, Collection, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any


class DeferredImports(MetaPathFinder, Loader):
    """While it is in place, importing one of these packages, or from it, gives functions that load it when called.

    What takes more from a package than functions to call later, such as a class to derive from, fails. So it is for
    processes that know what they import, and that begin anew without it where importing fails.
    """

    def __init__(self, packages: Collection[str]) -> None:
        """Remember the names, of top-level packages. Those that are loaded already stay as they are."""
        self._packages = frozenset(packages) - sys.modules.keys()

    def put_in_place(self) -> None:
        """From now on these packages are not loaded for being imported."""
        sys.meta_path.insert(0, self)

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """See `MetaPathFinder.find_spec`."""
        del path, target
        deferred = fullname.partition(".")[0] in self._packages
        return ModuleSpec(fullname, self, is_package=True) if deferred else None

    def exec_module(self, module: ModuleType) -> None:
        """Fill a module that stands for the real one."""
        vars(module)["__getattr__"] = functools.partial(self._taken, module.__name__)

    def _taken(self, module: str, name: str) -> Callable[..., Any]:
        """What stands for something of a module."""
        if name.startswith("__"):  # Python asks for those itself
            raise AttributeError(name)

        def called(*arguments: Any, **named: Any) -> Any:
            return getattr(self._loaded(module), name)(*arguments, **named)

        return called

    def _loaded(self, module: str) -> ModuleType:
        """The real module; with it all that was deferred is loaded by whoever imports it next."""
        if self in sys.meta_path:
            sys.meta_path.remove(self)
            for name in [name for name in sys.modules if name.partition(".")[0] in self._packages]:
                del sys.modules[name]
        return importlib.import_module(module)
