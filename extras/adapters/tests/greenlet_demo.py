"""Two greenlets that pass a ball, and a third that ends early; reproducible. greenlet_demo.py FILE"""

import sys

import fiberscope_greenlet
import greenlet

time = 0


def now():
    global time
    time += 100
    return time


def play(rounds):
    other = greenlet.getcurrent().other
    for _ in range(rounds):
        if not other.dead:
            other.switch(rounds)


with fiberscope_greenlet.recording(sys.argv[1], "ping_pong", now) as recorder:
    ping, pong = greenlet.greenlet(play), greenlet.greenlet(play)
    ping.fiberscope_name, pong.fiberscope_name = "ping", "pong"
    ping.other, pong.other = pong, ping
    recorder.note("the ball is thrown")
    ping.switch(3)  # the first to end returns to main, its parent
    pong.switch()
