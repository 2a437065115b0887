"""What can be read from the sandbox with GET, below /api/v1: the organization, whole lists, and nightly exports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from demo.answers import Answer, json_answer, lines_answer, missing_answer, refusal_answer
from demo.desk import Desk
from demo.directory import DIRECTORY
from demo.export_jobs import ExportJob, Night, export_jobs, export_schedules, filter_jobs
from demo.nightly_files import file_pieces
from demo.report_request import RefusedError

PREFIX = "/api/v1/"


@dataclass(frozen=True)
class Reads:
    """One day's answers to GET."""

    desk: Desk
    organization: Mapping[str, Any]
    nights: Mapping[date, Night]

    def answer(self, target: str) -> Answer:
        """The answer to a request's target; 404 for what is not there."""
        match path_parts(target):
            case ["organization"]:
                return json_answer(self.organization)
            case [name] if name in DIRECTORY:
                return json_answer(DIRECTORY[name](self.desk.today))
            case ["export", *parts]:
                return self._export(parts, dict(parse_qsl(urlsplit(target).query, keep_blank_values=True)))
        return missing_answer(f"GET {target}")

    def _export(self, parts: Sequence[str], query: Mapping[str, str]) -> Answer:
        match parts:
            case ["schedules"]:
                return json_answer(export_schedules(self.desk))
            case ["jobs"]:
                return self._jobs(query)
            case ["jobs", job_id]:
                job = self._job(job_id)
                return json_answer(job.document()) if job else missing_answer("job of this id")
            case ["jobs", job_id, "files", file_name]:
                return self._file(job_id, file_name)
        return missing_answer("such export")

    def _jobs(self, asked: Mapping[str, str]) -> Answer:
        try:
            jobs = filter_jobs(export_jobs(self.desk, self.nights), asked, self.desk)
        except RefusedError as error:
            return refusal_answer(error)
        return json_answer([job.document() for job in jobs])

    def _job(self, job_id: str) -> ExportJob | None:
        return next((job for job in export_jobs(self.desk, self.nights) if job.job_id == job_id), None)

    def _file(self, job_id: str, file_name: str) -> Answer:
        job = self._job(job_id)
        if job is None or file_name not in job.files:
            return missing_answer("file of this name")
        answer = lines_answer(file_pieces(self.desk, job.day, file_name))
        fault = job.night.faults.get(file_name)
        return fault.spoil(answer) if fault else answer


def path_parts(target: str) -> list[str]:
    """The parts of a path below /api/v1; none for any other path."""
    path = urlsplit(target).path
    return path.removeprefix(PREFIX).split("/") if path.startswith(PREFIX) else []
