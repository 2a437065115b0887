"""The daily run as a DAG of Airflow 3, to copy into its folder of DAGs; PROJECT is where this project and .venv lie.

Secrets come from the workers' environment, as everywhere; put them there by your secrets backend.
"""

from datetime import datetime, timedelta

from airflow.providers.standard.operators.bash import BashOperator
from airflow.sdk import DAG

PROJECT = "/srv/hotelmind"

with DAG(
    "hotelmind_daily",
    schedule="15 6 * * *",
    start_date=datetime(2026, 1, 1),
    catchup=False,  # a run asks for everything since the last one, however long ago
    max_active_runs=1,  # one writer at a time
    dagrun_timeout=timedelta(hours=6),
    default_args={
        "retries": 2,  # every command may be repeated
        "retry_delay": timedelta(minutes=10),
        "execution_timeout": timedelta(hours=2),
    },
):

    def command(name: str, text: str, **options: object) -> BashOperator:
        return BashOperator(task_id=name, bash_command=f". .venv/bin/activate && {text}", cwd=PROJECT, **options)

    # The loaders one after the other: a DuckDB file belongs to one process.
    gladly = command("gladly", "python -m loaders.gladly --quiet")
    operational = command("operational", "python -m loaders.operational --quiet", trigger_rule="all_done")
    # A source that failed keeps nothing from the others: what has landed is loaded.
    build = command("build", "dbt --quiet build", trigger_rule="all_done")
    prune = command("prune", "python -m loaders.stage prune --older-than 14d", trigger_rule="all_done")
    # The last task is green only where all were, and no source is late.
    fresh = command("fresh", "dbt --quiet source freshness")
    gladly >> operational >> build >> prune
    [gladly, operational, build, prune] >> fresh
