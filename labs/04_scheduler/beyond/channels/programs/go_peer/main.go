// The programs of ../programs.h in Go: prints what they give, a number on each line.
//
//	go_peer sieve|pool|fan_in|closed MACHINES
package main

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
)

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

func main() {
	programs := map[string]func() []int{"sieve": sieve, "pool": pool, "fan_in": fanIn, "closed": closed}
	machines, _ := strconv.Atoi(os.Args[2])
	runtime.GOMAXPROCS(machines)
	for _, value := range programs[os.Args[1]]() {
		fmt.Println(value)
	}
}
