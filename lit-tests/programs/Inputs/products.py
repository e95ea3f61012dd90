def matrices(a, b):
    return a @ b
