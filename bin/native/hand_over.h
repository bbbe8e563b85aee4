/*
 * Replaces this process by the Node client, with the same words, what was read of standard input, and what that client has
 * to know of a call which the daemon may have got.
 */
#ifndef HAND_OVER_H
#define HAND_OVER_H
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>
#include "text.h"

enum { EXIT_NO_NODE = 3 };

static char **words;
static int word_count;
/* All of standard input; without bytes where it was not read. */
static Buffer input;
static sigset_t earlier_mask;

/* The one call, and the process that it was sent to. */
static struct {
  char client[64];
  long pid;
  Buffer start_time;
  bool is_sent, is_accepted, is_silent;
} call;

static _Noreturn void fail(const char *what) {
  dprintf(STDERR_FILENO, "Error: The native client cannot %s\nHint: Install browse again, and Node 24 or newer\n", what);
  _exit(EXIT_NO_NODE);
}

/* Puts what was read of standard input there again; in memory, since it may be a password. */
static void give_back_input(void) {
  int file = memfd_create("input", 0);
  for (size_t at = 0; at < input.length;) {
    ssize_t count = write(file, input.bytes + at, input.length - at);
    if (count < 0) fail("keep its input");
    at += (size_t)count;
  }
  if (lseek(file, 0, SEEK_SET) < 0 || dup2(file, STDIN_FILENO) < 0) fail("keep its input");
}

/* This is dist/native/browse, and that is dist/browse.mjs. */
static void find_node_client(char path[PATH_MAX + 16]) {
  ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - 1);
  if (length < 0) fail("find its own file");
  path[length] = 0;
  for (int level = 0; level < 2 && strrchr(path, '/'); level++) *strrchr(path, '/') = 0;
  strcat(path, "/browse.mjs");
  if (access(path, R_OK) < 0) fail("find browse.mjs in the folder above its own");
}

/* See bin/resume.ts for the other side. */
static void tell_of_call(void) {
  char text[512];
  snprintf(text, sizeof text, "%s %s %s %ld@%.*s", call.client, call.is_accepted ? "accepted" : "sent",
           call.is_silent ? "silent" : "lost", call.pid, (int)call.start_time.length, call.start_time.bytes);
  setenv("BROWSE_RESUME", text, 1);
}

static _Noreturn void hand_over(void) {
  char script[PATH_MAX + 16], **argv = calloc((size_t)word_count + 2, sizeof *argv);
  if (!argv) fail("start the other one");
  find_node_client(script);
  if (input.bytes) give_back_input();
  unsetenv("BROWSE_RESUME");
  if (call.is_sent) tell_of_call();
  argv[0] = "node";
  argv[1] = script;
  for (int at = 1; at < word_count; at++) argv[at + 1] = words[at];
  signal(SIGPIPE, SIG_DFL);
  signal(SIGINT, SIG_DFL);
  signal(SIGTERM, SIG_DFL);
  sigprocmask(SIG_SETMASK, &earlier_mask, NULL);
  execvp(NODE, argv);
  execvp("node", argv);
  fail("run Node");
}

/* What came makes no sense, so nobody knows whether the call was accepted: it is not to be run twice. */
static _Noreturn void hand_over_in_doubt(void) {
  call.is_accepted = true;
  hand_over();
}

static void need(bool condition) {
  if (!condition) hand_over();
}

#endif
