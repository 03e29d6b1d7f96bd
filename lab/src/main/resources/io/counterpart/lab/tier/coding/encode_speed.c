/*
 * Encodes stripes with ISA-L for a while: arguments are n, k, bytes of a chunk, stripes in memory
 * and milliseconds; prints the stripes that were encoded and the nanoseconds that it took.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* as ISA-L documents them; its header is in a package that is not needed to run it */
void gf_gen_cauchy1_matrix(unsigned char *matrix, int n, int k);
void ec_init_tables(int k, int rows, unsigned char *matrix, unsigned char *tables);
void ec_encode_data(int bytes, int k, int rows, unsigned char *tables, unsigned char **data,
                    unsigned char **parity);

static long long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

int main(int count, char **arguments) {
  if (count != 6) {
    fprintf(stderr, "%d arguments: n, k, chunk bytes, stripes, milliseconds\n", count - 1);
    return 2;
  }
  int n = atoi(arguments[1]), k = atoi(arguments[2]), bytes = atoi(arguments[3]);
  int stripes = atoi(arguments[4]);
  long long limit = atoll(arguments[5]) * 1000000LL;
  if (n < 2 || n > 32 || k < 1 || k >= n || bytes < 64 || stripes < 1 || limit < 1) {
    fprintf(stderr, "an argument is out of range\n");
    return 2;
  }
  unsigned char *matrix = malloc(n * k);
  unsigned char *tables = malloc(32 * k * (n - k));
  unsigned char **chunks = malloc(sizeof(unsigned char *) * n * stripes);
  if (!matrix || !tables || !chunks) {
    return 1;
  }
  for (int i = 0; i < n * stripes; i++) {
    void *chunk;
    if (posix_memalign(&chunk, 64, bytes)) {
      return 1;
    }
    chunks[i] = chunk;
    for (int j = 0; j < bytes; j++) {
      chunks[i][j] = rand();
    }
  }
  gf_gen_cauchy1_matrix(matrix, n, k);
  ec_init_tables(k, n - k, matrix + k * k, tables);
  long long done = 0, start = now(), nanos = 0;
  while (nanos < limit) {
    for (int round = 0; round < 8; round++) {
      for (int i = 0; i < stripes; i++) {
        ec_encode_data(bytes, k, n - k, tables, chunks + i * n, chunks + i * n + k);
      }
    }
    done += 8LL * stripes;
    nanos = now() - start;
  }
  printf("%lld %lld\n", done, nanos);
  return 0;
}
