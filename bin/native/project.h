/*
 * Where the project's daemon keeps its state, and what daemon.json there says: as bin/cli/project.ts and
 * security/files/own_file.ts have it. Whatever is unusual is handed over.
 */
#ifndef PROJECT_H
#define PROJECT_H
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>
#include "hand_over.h"
#include "json.h"

enum { MAX_STATE_BYTES = 65536, MAX_PROC_BYTES = 4096, RETRY_MS = 5, OTHERS_WRITE = 022, OTHERS_ANYTHING = 077 };

typedef struct {
  int port;
  long pid;
  Buffer token, start_time;
} Daemon;

static const char SPACE[] = " \t\n\v\f\r";

/* All that can be read, with a 0 behind it. */
static Buffer read_all(int file, size_t most) {
  Buffer text = {NULL, 0, 0};
  ssize_t count;
  do {
    reserve(&text, READ_BYTES);
    count = read(file, text.bytes + text.length, READ_BYTES);
    if (count > 0) text.length += (size_t)count;
    else if (count < 0 && errno == EAGAIN) poll(&(struct pollfd){file, POLLIN, 0}, 1, -1);
    else need(count == 0);
    need(text.length <= most);
  } while (count != 0);
  text.bytes[text.length] = 0;
  return text;
}

static Buffer read_proc(const char *path) {
  int file = open(path, O_RDONLY | O_CLOEXEC);
  need(file >= 0);
  Buffer text = read_all(file, MAX_PROC_BYTES);
  close(file);
  return text;
}

/* Absolute, and written in the one way that every program understands alike. */
static bool is_plain_path(const char *path) {
  if (*path != '/' || !is_utf8(path, strlen(path))) return false;
  for (; path; path = strchr(path, '/')) {
    size_t length = strcspn(++path, "/"), dots = strspn(path, ".");
    if (length == 0 || (length < 3 && dots >= length)) return false;
  }
  return true;
}

static const char *home_folder(void) {
  const char *home = getenv("HOME");
  need(home && is_plain_path(home));
  return home;
}

static void join(char path[PATH_MAX], const char *folder, const char *name) {
  need(snprintf(path, PATH_MAX, "%s/%s", folder, name) < PATH_MAX);
}

/* What root put there is as good as ours. */
static bool is_own(const struct stat *status, mode_t forbidden) {
  return (status->st_uid == getuid() || status->st_uid == 0) && (status->st_mode & forbidden) == 0;
}

static bool is_own_folder(const char *path) {
  struct stat status;
  return lstat(path, &status) == 0 && S_ISDIR(status.st_mode) && is_own(&status, OTHERS_WRITE);
}

static bool is_repository(const char *folder) {
  char path[PATH_MAX];
  join(path, folder, ".git");
  return access(path, F_OK) == 0;
}

/* With a daemon's folder that is not what all projects share. */
static bool has_state(const char *folder) {
  char path[PATH_MAX], shared[PATH_MAX];
  join(path, folder, ".browse");
  if (!is_own_folder(path)) return false;
  const char *given = getenv("BROWSE_HOME");
  if (!given) join(shared, home_folder(), ".browse");
  return strcmp(path, given ? given : shared) != 0;
}

/* The nearest such folder upward; the root is "". */
static bool find_upward(char found[PATH_MAX], const char *from, bool (*is_wanted)(const char *)) {
  strcpy(found, from);
  while (!is_wanted(found)) {
    if (!*found) return false;
    *strrchr(found, '/') = 0;
  }
  return true;
}

/* BROWSE_STATE_DIR, without the space around it and the slashes behind it. */
static bool given_state_folder(char path[PATH_MAX], const char *cwd) {
  const char *text = getenv("BROWSE_STATE_DIR");
  if (!text) return false;
  text += strspn(text, SPACE);
  char given[PATH_MAX];
  need(snprintf(given, PATH_MAX, "%s", text) < PATH_MAX);
  size_t length = strlen(given);
  while (length > 0 && strchr(SPACE, given[length - 1])) given[--length] = 0;
  if (length == 0) return false;
  // JavaScript knows more kinds of space.
  need(((given[0] | given[length - 1]) & 0x80) == 0);
  while (length > 1 && given[length - 1] == '/') given[--length] = 0;
  bool is_in_home = given[0] == '~' && (length == 1 || given[1] == '/');
  if (is_in_home) need(snprintf(path, PATH_MAX, "%s%s", home_folder(), given + 1) < PATH_MAX);
  else if (given[0] == '/') strcpy(path, given);
  else join(path, cwd, given);
  need(is_plain_path(path) && strncmp(given, "~\\", 2) != 0);
  return true;
}

static void find_state_folder(char path[PATH_MAX], const char *cwd) {
  char root[PATH_MAX];
  if (given_state_folder(path, cwd)) return;
  bool is_found = find_upward(root, cwd, is_repository) || find_upward(root, cwd, has_state);
  join(path, is_found ? root : cwd, ".browse");
}

static Buffer read_state(const char *folder) {
  char path[PATH_MAX];
  struct stat status;
  need(is_own_folder(folder));
  join(path, folder, "daemon.json");
  int file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  need(file >= 0 && fstat(file, &status) == 0);
  need(S_ISREG(status.st_mode) && is_own(&status, OTHERS_ANYTHING));
  Buffer text = read_all(file, MAX_STATE_BYTES);
  close(file);
  return text;
}

/* Is there a process of that id that began then? See security/process/process_identity.ts. */
static bool is_running(long pid, const Buffer *start_time) {
  char path[64], expected[256];
  snprintf(path, sizeof path, "/proc/%ld/stat", pid);
  Buffer status = read_proc(path), boot = read_proc("/proc/sys/kernel/random/boot_id");
  // The name in parentheses may hold anything; behind it is the state, and behind 19 more the time of its start.
  const char *field = strrchr(status.bytes, ')');
  if (!field || field[1] != ' ' || strchr("ZXx", field[2])) return false;
  for (int at = 0; at < 20 && field; at++) field = strchr(field + 1, ' ');
  if (!field) return false;
  int boot_length = (int)strcspn(boot.bytes, "\n"), length = (int)strcspn(field + 1, " \n");
  int written = snprintf(expected, sizeof expected, "%.*s/%.*s", boot_length, boot.bytes, length, field + 1);
  free(status.bytes);
  free(boot.bytes);
  return (size_t)written == start_time->length && memcmp(expected, start_time->bytes, start_time->length) == 0;
}

/* The daemon of this version that daemon.json names. */
static Daemon find_daemon(const char *state_folder) {
  Buffer text = read_state(state_folder);
  Json state = {text.bytes, text.bytes + text.length};
  need(is_valid_json(state) && equals(member(state, "version"), VERSION));
  Daemon daemon = {
      .port = (int)count_of(member(state, "port"), 65535),
      .pid = count_of(member(state, "pid"), 999999999),
      .token = string_of(member(state, "token")),
      .start_time = string_of(member(state, "startTime")),
  };
  need(daemon.port > 0 && daemon.pid > 0 && is_running(daemon.pid, &daemon.start_time));
  for (size_t at = 0; at < daemon.token.length; at++) need(daemon.token.bytes[at] > ' ' && daemon.token.bytes[at] <= '~');
  free(text.bytes);
  return daemon;
}

#endif
