from __future__ import annotations

import threading
import time

from desktop_rag.ingestion.jobs import Job, JobQueue
from desktop_rag.ingestion.tally import Tally


def always(_: Job) -> bool:
    return True


def put(queue: JobQueue, *file_ids: int, batch: int = 0) -> list[Job]:
    jobs = [Job(file_id, size=10, batch=batch) for file_id in file_ids]
    queue.put(jobs)
    return jobs


def take(queue: JobQueue) -> int:
    job = queue.take(always)
    assert job is not None
    queue.done(job)
    return job.file_id


def test_the_newest_batch_comes_first_and_each_in_its_order() -> None:
    queue = JobQueue()
    put(queue, 1, 2)
    put(queue, 3, 4, batch=1)
    put(queue, 5, 6, batch=2)
    assert [take(queue) for _ in range(6)] == [5, 6, 3, 4, 1, 2]
    assert queue.empty


def test_a_second_job_of_a_file_joins_the_first_and_moves_it_up() -> None:
    queue = JobQueue()
    tally = Tally()
    put(queue, 1, 2)
    again = Job(2, batch=5, tallies=[tally])
    queue.put([again])
    job = queue.take(always)
    assert job is not None
    assert (job.file_id, job.tallies) == (2, [tally])
    queue.done(job)
    assert take(queue) == 1
    assert queue.empty


def test_a_job_of_an_active_file_waits_until_that_is_through() -> None:
    queue = JobQueue()
    put(queue, 1)
    first = queue.take(always)
    assert first is not None
    put(queue, 1)
    assert not queue.empty
    queue.done(first)
    assert take(queue) == 1
    assert queue.empty


def test_a_job_given_back_takes_the_one_held_for_its_file_in_its_place() -> None:
    queue = JobQueue()
    tally = Tally()
    put(queue, 1)
    first = queue.take(always)
    assert first is not None
    first.tallies.append(tally)
    (held,) = put(queue, 1)
    queue.again(first)
    second = queue.take(always)
    assert second is held
    assert held.tallies == [tally]


def test_a_delayed_job_lets_others_pass() -> None:
    queue = JobQueue()
    put(queue, 1, 2)
    first = queue.take(always)
    assert first is not None
    queue.again(first, delay=0.05)
    assert take(queue) == 2
    assert take(queue) == 1


def test_dropped_jobs_are_never_given_and_their_tallies_close() -> None:
    queue = JobQueue()
    tally = Tally()
    tally.closed()
    active, waiting = put(queue, 1, 2)
    for job in (active, waiting):
        tally.opened()
        job.tallies.append(tally)
    assert queue.take(always) is active
    put(queue, 1)
    queue.drop([1, 2])
    assert active.cancel.cancelled
    assert active.dropped
    queue.again(active)
    active.close(None)
    assert tally.wait(0)
    assert queue.empty


def test_take_waits_until_the_job_is_admitted() -> None:
    queue = JobQueue()
    put(queue, 1)
    open_ = threading.Event()
    taken: list[Job | None] = []
    thread = threading.Thread(target=lambda: taken.append(queue.take(lambda _: open_.is_set())))
    thread.start()
    time.sleep(0.05)
    assert not taken
    open_.set()
    queue.wake()
    thread.join(5)
    assert taken[0] is not None


def test_closing_ends_a_take_and_cancels_what_is_active() -> None:
    queue = JobQueue()
    put(queue, 1)
    active = queue.take(always)
    thread = threading.Thread(target=lambda: queue.take(always))
    thread.start()
    queue.close()
    thread.join(5)
    assert not thread.is_alive()
    assert active is not None
    assert active.cancel.cancelled


def test_counts_begin_anew_when_the_queue_was_empty() -> None:
    queue = JobQueue()
    put(queue, 1, 2)
    take(queue)
    counts = queue.counts
    assert (counts.files_done, counts.files_total) == (1, 2)
    assert (counts.bytes_done, counts.bytes_total) == (10, 20)
    take(queue)
    put(queue, 3)
    assert (queue.counts.files_done, queue.counts.files_total) == (0, 1)


def test_a_tally_is_done_when_all_that_was_opened_is_closed() -> None:
    tally = Tally()
    tally.opened(2)
    tally.closed()
    tally.closed("added")
    assert not tally.wait(0)
    tally.count("segments", 3)
    tally.closed("failed")
    assert tally.wait(0)
    assert tally.counts == {"added": 1, "segments": 3, "failed": 1}
