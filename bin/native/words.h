/* The little of a command line that the client itself has to know: as bin/cli/arguments.ts. */
#ifndef WORDS_H
#define WORDS_H
#include <sys/stat.h>
#include "hand_over.h"

enum { DAY_MS = 86400000 };

/* Flags whose next word is their value: as in bin/cli/arguments.ts. */
static bool takes_value(const char *word) {
  static const char *const flags[] = {"session", "tab", "timeout", "max-chars", "offset", "out", "proxy"};
  for (size_t at = 0; at < sizeof flags / sizeof *flags; at++)
    if (strncmp(word, "--", 2) == 0 && strcmp(word + 2, flags[at]) == 0) return true;
  return false;
}

static bool is_one_of(const char *word, const char *const choice[]) {
  while (*choice && strcmp(word, *choice) != 0) choice++;
  return *choice;
}

/* Among those before `end`. */
static bool has_word_before(int end, const char *wanted) {
  int at = 1;
  while (at < end && at < word_count && strcmp(words[at], wanted) != 0) at++;
  return at < end && at < word_count;
}

static bool has_word(const char *wanted) {
  return has_word_before(word_count, wanted);
}

/* Milliseconds of `1.5s`; negative for what is none. */
static double duration_of(const char *text) {
  static const struct {
    const char *unit;
    double ms;
  } units[] = {{"", 1}, {"ms", 1}, {"s", 1e3}, {"m", 6e4}, {"h", 36e5}};
  size_t whole = strspn(text, "0123456789"), part = text[whole] == '.' ? strspn(text + whole + 1, "0123456789") : 0;
  const char *unit = text + whole + (part > 0 ? part + 1 : 0);
  for (size_t at = 0; whole > 0 && at < sizeof units / sizeof *units; at++) {
    if (strcmp(unit, units[at].unit) != 0) continue;
    double ms = strtod(text, NULL) * units[at].ms;
    return ms < DAY_MS ? ms : DAY_MS;
  }
  return -1;
}

/* Of the last `--timeout`. */
static double read_limit(void) {
  const char *value = NULL;
  for (int at = 1; at < word_count; at++) {
    if (strncmp(words[at], "--timeout", 9) != 0 || (words[at][9] && words[at][9] != '=')) continue;
    const char *next = at + 1 < word_count ? words[at + 1] : "";
    value = words[at][9] && words[at][10] ? words[at] + 10 : next;
  }
  return value ? duration_of(value) : -1;
}

/* Reads the words as far as the Node client does; hands over what is more than one call to a running daemon. */
static bool read_words(void) {
  static const char *const others[] = {"version", "start", "stop", "restart", "repl", "-", NULL};
  static const char *const text_commands[] = {"chain", "batch", "scan", NULL};
  int at = 1;
  bool has_text = false, has_dash = false;
  while (at < word_count && strncmp(words[at], "--", 2) == 0) at += takes_value(words[at]) ? 2 : 1;
  const char *command = at < word_count ? words[at] : NULL;
  bool is_named = command && *command;
  need(is_named ? !is_one_of(command, others) : !has_word_before(at, "--version"));
  for (int after = at + 1; after < word_count; after++) {
    bool is_value = after > at + 1 && takes_value(words[after - 1]);
    has_text |= strncmp(words[after], "--", 2) != 0 && !is_value;
    has_dash |= strcmp(words[after], "-") == 0;
  }
  struct stat status;
  bool is_piped = fstat(STDIN_FILENO, &status) == 0 &&
                  (S_ISFIFO(status.st_mode) || S_ISREG(status.st_mode) || S_ISSOCK(status.st_mode));
  return has_dash || (command && is_one_of(command, text_commands) && !has_text && is_piped);
}

#endif
