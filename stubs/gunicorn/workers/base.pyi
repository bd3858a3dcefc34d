class Worker:
    age: int
