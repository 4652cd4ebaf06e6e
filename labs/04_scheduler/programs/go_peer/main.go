// What Go itself needs for the programs of bench.cpp, in the same form: prints nanoseconds for each. And the programs
// of ../channels: prints what they give.
//
//	go_peer yield|life|work|call|send|send_buffered MACHINES
//	go_peer scale_tasks|scale_yields|scale_tree|scale_uneven MACHINES
//	go_peer sieve|pool|fan_in|closed MACHINES
package main

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

const tasks, turns = 32, 10000
const lives, brief = 100000, 256
const sends = 1000000
const workTurns = 1000

func yields(done *sync.WaitGroup) int {
	done.Add(tasks)
	for i := 0; i < tasks; i++ {
		go func() {
			for n := 0; n < turns; n++ {
				runtime.Gosched()
			}
			done.Done()
		}()
	}
	return tasks * turns
}

func shortLives(done *sync.WaitGroup) int {
	done.Add(lives + 1)
	go func() {
		for i := 0; i < lives; i++ {
			go done.Done()
			if i%brief == 0 {
				runtime.Gosched()
			}
		}
		done.Done()
	}()
	return lives
}

// Each turn works for a microsecond.
func workers(done *sync.WaitGroup) int {
	done.Add(tasks)
	for i := 0; i < tasks; i++ {
		go func() {
			for n := 0; n < workTurns; n++ {
				for begin := time.Now(); time.Since(begin) < time.Microsecond; {
				}
				runtime.Gosched()
			}
			done.Done()
		}()
	}
	return tasks * workTurns
}

// Each enters a call that might block, and comes back.
func calls(done *sync.WaitGroup) int {
	done.Add(1)
	go func() {
		for i := 0; i < lives; i++ {
			syscall.Syscall(syscall.SYS_GETPGID, 0, 0, 0)
		}
		done.Done()
	}()
	return lives
}

func sendsBy(capacity int) func(done *sync.WaitGroup) int {
	return func(done *sync.WaitGroup) int {
		values := make(chan int, capacity)
		done.Add(1)
		go func() {
			for i := 0; i < sends; i++ {
				values <- i
			}
			close(values)
		}()
		go func() {
			for range values {
			}
			done.Done()
		}()
		return sends
	}
}

// ---- ../channels ----------------------------------------------------------------------------------------------------

func filter(prime int, from <-chan int, to chan<- int) {
	for n := range from {
		if n%prime != 0 {
			to <- n
		}
	}
	close(to)
}

func sieve() (primes []int) {
	numbers := make(chan int)
	go func(to chan<- int) {
		for n := 2; n < 200; n++ {
			to <- n
		}
		close(to)
	}(numbers)
	for {
		prime, open := <-numbers
		if !open {
			return primes
		}
		primes = append(primes, prime)
		next := make(chan int)
		go filter(prime, numbers, next)
		numbers = next
	}
}

func pool() []int {
	type result struct{ job, value int }
	jobs, results := make(chan int, 3), make(chan result)
	for worker := 0; worker < 4; worker++ {
		go func() {
			for job := range jobs {
				results <- result{job, job*job + 1}
			}
		}()
	}
	go func() {
		for job := 0; job < 40; job++ {
			jobs <- job
		}
		close(jobs)
	}()
	values := make([]int, 40)
	for range values {
		one := <-results
		values[one.job] = one.value
	}
	return values
}

func fanIn() []int {
	a, b, ended := make(chan int), make(chan int, 2), make(chan bool)
	produce := func(first int, to chan<- int) {
		for i := 0; i < 100; i++ {
			to <- first + i
		}
		ended <- true
	}
	go produce(0, a)
	go produce(1000, b)
	sums, last, disorder, left := []int{0, 0}, []int{-1, -1}, 0, 200
	take := func(of, value int) {
		if value <= last[of] {
			disorder++
		}
		sums[of] += value
		last[of] = value
		left--
	}
	for producers := 2; producers > 0 || left > 0; {
		select {
		case value := <-a:
			take(0, value)
		case value := <-b:
			take(1, value)
		case <-ended:
			producers--
		}
	}
	return append(sums, disorder)
}

func closed() (seen []int) {
	values := make(chan int, 5)
	for i := 1; i <= 3; i++ {
		values <- i
	}
	close(values)
	for i := 0; i < 5; i++ {
		value, open := <-values
		if !open {
			value = -1
		}
		seen = append(seen, value)
	}
	refused := func(act func()) (refused int) {
		defer func() {
			if recover() != nil {
				refused = 1
			}
		}()
		act()
		return 0
	}
	seen = append(seen, refused(func() { values <- 4 }), refused(func() { close(values) }))
	select {
	case _, open := <-values:
		if !open {
			seen = append(seen, 2)
		}
	default:
		seen = append(seen, 3)
	}
	return seen
}

// ---- ../scale/shapes.h ----------------------------------------------------------------------------------------------

//go:noinline
func work(us int) uint64 {
	x := uint64(us)
	for i := 0; i < us*700; i++ {
		x = x*6364136223846793005 + 1442695040888963407
	}
	return x
}

func scaleTasks(done *sync.WaitGroup) {
	for round := 0; round < 4; round++ {
		done.Add(1024)
		for i := 0; i < 1024; i++ {
			go func() {
				work(5)
				done.Done()
			}()
		}
		done.Wait()
	}
}

func scaleYields(done *sync.WaitGroup) {
	done.Add(256)
	for i := 0; i < 256; i++ {
		go func() {
			for n := 0; n < 64; n++ {
				work(1)
				runtime.Gosched()
			}
			done.Done()
		}()
	}
}

func tree(levels int, over *sync.WaitGroup) {
	work(5)
	var below sync.WaitGroup
	for i := 0; levels > 0 && i < 3; i++ {
		below.Add(1)
		go tree(levels-1, &below)
	}
	below.Wait()
	over.Done()
}

func scaleTree(done *sync.WaitGroup) {
	for round := 0; round < 4; round++ {
		done.Add(1)
		go tree(6, done)
		done.Wait()
	}
}

func scaleUneven(done *sync.WaitGroup) {
	done.Add(1024)
	for i := 0; i < 1024; i++ {
		us := 10
		if i%31 == 0 {
			us = 320
		}
		go func() {
			work(us)
			done.Done()
		}()
	}
}

// The whole, once it has run before.
func scaled(program func(*sync.WaitGroup)) func(*sync.WaitGroup) int {
	return func(done *sync.WaitGroup) int {
		program(done)
		return 1
	}
}

var results = map[string]func() []int{"sieve": sieve, "pool": pool, "fan_in": fanIn, "closed": closed}
var measured = map[string]func(*sync.WaitGroup) int{
	"yield": yields, "life": shortLives, "work": workers, "call": calls, "send": sendsBy(0),
	"send_buffered": sendsBy(100),
	"scale_tasks":   scaled(scaleTasks), "scale_yields": scaled(scaleYields), "scale_tree": scaled(scaleTree),
	"scale_uneven": scaled(scaleUneven)}

func main() {
	machines, _ := strconv.Atoi(os.Args[2])
	runtime.GOMAXPROCS(machines)
	if program, known := results[os.Args[1]]; known {
		for _, value := range program() {
			fmt.Println(value)
		}
		return
	}
	program := measured[os.Args[1]]
	best, rounds := 0.0, 5
	if strings.HasPrefix(os.Args[1], "scale_") {
		rounds = 2 // the first is slower
	}
	for round := 0; round < rounds; round++ {
		var done sync.WaitGroup
		begin := time.Now()
		count := program(&done)
		done.Wait()
		took := float64(time.Since(begin).Nanoseconds()) / float64(count)
		if round == 0 || took < best {
			best = took
		}
	}
	fmt.Println(best)
}
