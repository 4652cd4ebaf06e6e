// The workloads mixed, fanout and pipeline of lab 04 by Go on one P, with the same numbers.
//
//	workloads mixed|fanout|pipeline SEED [FILE]
package main

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"runtime/trace"
	"strconv"
	"sync"
	"time"
)

// random: std::mt19937_64.
type random struct {
	state [312]uint64
	next  int
}

func newRandom(seed uint64) *random {
	r := &random{next: 312}
	r.state[0] = seed
	for i := 1; i < 312; i++ {
		before := r.state[i-1]
		r.state[i] = 6364136223846793005*(before^before>>62) + uint64(i)
	}
	return r
}

func (r *random) draw() uint64 {
	if r.next == 312 {
		for i := range r.state {
			x := r.state[i]&0xffffffff80000000 | r.state[(i+1)%312]&0x7fffffff
			r.state[i] = r.state[(i+156)%312] ^ x>>1 ^ (x&1)*0xb5026f5aa96619e9
		}
		r.next = 0
	}
	x := r.state[r.next]
	r.next++
	x ^= x >> 29 & 0x5555555555555555
	x ^= x << 17 & 0x71d67fffeda60000
	x ^= x << 37 & 0xfff7eee000000000
	return x ^ x>>43
}

func (r *random) between(low, high uint64) uint64 { return low + r.draw()%(high-low+1) }

func blend(a, b uint64) uint64 {
	x := (a ^ (b + 0x9e3779b97f4a7c15 + a<<6 + a>>2)) * 0xbf58476d1ce4e5b9
	return x ^ x>>31
}

const microsecond = 1000

func work(ns uint64) {
	for begin := time.Now(); time.Since(begin) < time.Duration(ns); {
	}
}

func sleeps(result *uint64, r *random) {
	for i := 0; i < 5; i++ {
		time.Sleep(time.Duration(r.between(5*microsecond, 40*microsecond)))
		work(r.between(1, 3) * microsecond)
		*result = blend(*result, r.draw())
	}
}

func computes(result *uint64, r *random) {
	for i := 0; i < 4; i++ {
		work(r.between(15*microsecond, 30*microsecond))
		*result = blend(*result, r.draw())
		runtime.Gosched()
	}
}

func reads(wire <-chan bool, result *uint64, r *random) {
	for i := 0; i < 4; i++ {
		<-wire
		work(r.between(1, 4) * microsecond)
		*result = blend(*result, r.draw())
	}
}

func readsImpatiently(wire <-chan bool, fd uint64, result *uint64) {
	for {
		select {
		case <-wire:
			*result = blend(*result, fd)
			return
		case <-time.After(25 * microsecond):
			work(microsecond)
		}
	}
}

// deliver sends on a wire at each of the moments; Go's timers need no goroutine for that.
func deliver(moments []uint64) <-chan bool {
	wire := make(chan bool, len(moments))
	for _, at := range moments {
		time.AfterFunc(time.Duration(at), func() { wire <- true })
	}
	return wire
}

func mixed(seed uint64) []uint64 {
	r := newRandom(seed)
	results := []uint64{1, 2, 3, 1, 2, 3, 4, 5, 5, 6, 7, 8, 9, 1}
	var all sync.WaitGroup
	begin := func(body func()) {
		all.Add(1)
		go func() { body(); all.Done() }()
	}
	place := 0
	next := func() *uint64 { place++; return &results[place-1] }
	for i := 0; i < 3; i++ {
		at, own := next(), newRandom(r.draw())
		begin(func() { computes(at, own) })
	}
	for i := 0; i < 5; i++ {
		at, own := next(), newRandom(r.draw())
		begin(func() { sleeps(at, own) })
	}
	for i := 0; i < 4; i++ {
		own, moments, last := newRandom(r.draw()), []uint64{}, uint64(0)
		for n := 0; n < 4; n++ {
			last += own.between(10, 60) * microsecond
			moments = append(moments, last)
		}
		at, wire := next(), deliver(moments)
		begin(func() { reads(wire, at, own) })
	}
	impatient, wire := next(), deliver([]uint64{95 * microsecond})
	begin(func() { readsImpatiently(wire, 9, impatient) })
	never, cancel := context.WithCancel(context.Background())
	patient := next()
	begin(func() { <-never.Done(); *patient = 10 })
	begin(func() { time.Sleep(150 * microsecond); cancel() })
	all.Wait()
	return results
}

func tree(number uint64, depth int, result *uint64, done *sync.WaitGroup) {
	work((1 + number%5) * microsecond)
	var below [3]uint64
	var children sync.WaitGroup
	for i := 0; depth > 0 && i < 3; i++ {
		children.Add(1)
		go tree(blend(number, uint64(i)), depth-1, &below[i], &children)
	}
	children.Wait()
	*result = number
	for _, one := range below {
		*result = blend(*result, one)
	}
	done.Done()
}

func fanout(seed uint64) []uint64 {
	var done sync.WaitGroup
	done.Add(1)
	results := make([]uint64, 1)
	go tree(seed, 3, &results[0], &done)
	done.Wait()
	return results
}

const items, stages = 12, 4

func source(to chan<- uint64, r *random) {
	for i := 0; i < items; i++ {
		work(r.between(1, 4) * microsecond)
		to <- r.draw()
	}
}

func stage(s uint64, from <-chan uint64, to chan<- uint64) {
	for i := 0; i < items; i++ {
		item := <-from
		work((1 + item%(2*s)) * microsecond)
		to <- blend(item, s)
	}
}

func sink(from <-chan uint64, sum chan<- uint64) {
	last := uint64(0)
	for i := 0; i < items; i++ {
		last = blend(last, <-from)
	}
	sum <- last
}

func pipeline(seed uint64) []uint64 {
	var baskets [stages]chan uint64
	for i := range baskets {
		baskets[i] = make(chan uint64, 2)
	}
	sum := make(chan uint64)
	go source(baskets[0], newRandom(seed))
	for s := uint64(1); s < stages; s++ {
		go stage(s, baskets[s-1], baskets[s])
	}
	go sink(baskets[stages-1], sum)
	results := []uint64{}
	for i := uint64(0); i < items; i++ {
		results = append(results, i)
	}
	return append(results, <-sum)
}

func main() {
	run := map[string]func(uint64) []uint64{"mixed": mixed, "fanout": fanout, "pipeline": pipeline}[os.Args[1]]
	seed, err := strconv.ParseUint(os.Args[2], 10, 64)
	if err != nil || run == nil {
		os.Exit(2)
	}
	runtime.GOMAXPROCS(1)
	if len(os.Args) > 3 {
		file, err := os.Create(os.Args[3])
		if err != nil || trace.Start(file) != nil {
			os.Exit(2)
		}
	}
	results := run(seed)
	trace.Stop()
	for i, result := range results {
		fmt.Printf("%s %d %016x\n", os.Args[1], i, result)
	}
}
