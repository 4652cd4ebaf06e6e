// What Go itself needs for the programs of bench.cpp, in the same form. Prints nanoseconds for each.
//
//	go_peer yield|life|call MACHINES
package main

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"sync"
	"syscall"
	"time"
)

const tasks, turns = 32, 10000
const lives, brief = 100000, 256

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

func main() {
	machines, _ := strconv.Atoi(os.Args[2])
	runtime.GOMAXPROCS(machines)
	program := map[string]func(*sync.WaitGroup) int{"yield": yields, "life": shortLives, "call": calls}[os.Args[1]]
	best := 0.0
	for round := 0; round < 5; round++ {
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
