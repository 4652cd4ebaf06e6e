"""Tasks of gevent that sleep and pass values through a queue. gevent_demo.py FILE"""

import functools
import sys

import fiberscope_greenlet
import gevent
import gevent.queue

results = []


def producer(queue):
    for number in range(5):
        gevent.sleep(0.02)
        queue.put(number)
    queue.put(None)


def consumer(queue):
    for number in iter(queue.get, None):
        results.append(number)


with fiberscope_greenlet.recording(sys.argv[1], "producer_consumer") as recorder:
    queue = gevent.queue.Queue()
    tasks = [gevent.spawn(functools.partial(producer, queue)), gevent.spawn(consumer, queue)]
    gevent.joinall([*tasks, gevent.spawn(lambda: gevent.sleep(0))])
    recorder.name("root")
sys.exit(results != [0, 1, 2, 3, 4])
