/*
 * Preloaded by tests: makes chosen calls on chosen files fail, as a broken or a full disk would.
 *
 *   DROVER_FAIL_PATH         only files whose path has this text in it
 *   DROVER_FAIL_SYNC_AT      the number of the fsync or fdatasync that fails, from 1
 *   DROVER_FAIL_WRITE_FROM   the number of the write from which on all fail, from 1; the first of them takes one half
 *   DROVER_FAIL_ERRNO        the number of the error, EIO by default
 *   DROVER_FAIL_WHILE        calls fail only as long as there is a file of this name
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static int syncs = 0;
static int writes = 0;

static int is_meant(int fd)
{
	const char *part = getenv("DROVER_FAIL_PATH");
	char link[64], path[4096];
	if (part == NULL)
		return 0;
	snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
	ssize_t length = readlink(link, path, sizeof path - 1);
	if (length < 0)
		return 0;
	path[length] = '\0';
	return strstr(path, part) != NULL;
}

static int number(const char *name, int otherwise)
{
	const char *text = getenv(name);
	return text == NULL ? otherwise : atoi(text);
}

static int is_time(void)
{
	const char *flag = getenv("DROVER_FAIL_WHILE");
	return flag == NULL || access(flag, F_OK) == 0;
}

static int fails_sync(int fd)
{
	if (getenv("DROVER_FAIL_SYNC_AT") == NULL || !is_meant(fd) || !is_time())
		return 0;
	if (__atomic_add_fetch(&syncs, 1, __ATOMIC_SEQ_CST) != number("DROVER_FAIL_SYNC_AT", 0))
		return 0;
	errno = number("DROVER_FAIL_ERRNO", EIO);
	return 1;
}

int fsync(int fd)
{
	static int (*real)(int) = NULL;
	if (real == NULL)
		real = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
	return fails_sync(fd) ? -1 : real(fd);
}

int fdatasync(int fd)
{
	static int (*real)(int) = NULL;
	if (real == NULL)
		real = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
	return fails_sync(fd) ? -1 : real(fd);
}

ssize_t write(int fd, const void *bytes, size_t length)
{
	static ssize_t (*real)(int, const void *, size_t) = NULL;
	if (real == NULL)
		real = (ssize_t(*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
	if (getenv("DROVER_FAIL_WRITE_FROM") == NULL || !is_meant(fd) || !is_time())
		return real(fd, bytes, length);
	int count = __atomic_add_fetch(&writes, 1, __ATOMIC_SEQ_CST);
	int from = number("DROVER_FAIL_WRITE_FROM", 0);
	if (count < from)
		return real(fd, bytes, length);
	if (count == from && length > 1)
		return real(fd, bytes, length / 2);
	errno = number("DROVER_FAIL_ERRNO", EIO);
	return -1;
}
