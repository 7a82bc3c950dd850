"""The library behind the ForceBench companion book.

Data flows one way: :mod:`~forcebench_lib.corpus` reads an edition, :mod:`~forcebench_lib.evaluators` and
:mod:`~forcebench_lib.judging` score its claims, :mod:`~forcebench_lib.metrics` and :mod:`~forcebench_lib.stats` turn
scores into rates with intervals, :mod:`~forcebench_lib.tables` and :mod:`~forcebench_lib.charts` show them.
"""

__version__ = "0.1.0"
