// A producer and a consumer of Go on two Ps, traced by Go itself. go_demo FILE
package main

import (
	"context"
	"os"
	"runtime"
	"runtime/trace"
	"sync"
)

func producer(channel chan<- int) {
	for i := 1; i <= 4; i++ {
		channel <- i
	}
	close(channel)
}

func consumer(channel <-chan int, sum *int, done *sync.WaitGroup) {
	for i := range channel {
		*sum += i
		trace.Log(context.Background(), "consumer", "took one")
		runtime.Gosched()
	}
	done.Done()
}

func main() {
	if len(os.Args) != 2 {
		os.Exit(2)
	}
	runtime.GOMAXPROCS(2)
	file, err := os.Create(os.Args[1])
	if err != nil || trace.Start(file) != nil {
		os.Exit(2)
	}
	channel, sum := make(chan int), 0
	var done sync.WaitGroup
	done.Add(1)
	go producer(channel)
	go consumer(channel, &sum, &done)
	done.Wait()
	trace.Stop()
	if file.Close() != nil || sum != 10 {
		os.Exit(1)
	}
}
