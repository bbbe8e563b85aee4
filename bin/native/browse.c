/*
 * The hot path of the command line client: finds the project's daemon, sends it the words, prints the answer. All else is
 * handed over by exec, with the same words, to the Node client, which is the one to read first: bin/browse.ts, bin/cli/.
 * Why this exists, and what is handed over when: docs/design/native-client.md
 */
#define _GNU_SOURCE
#include <signal.h>
#include <sys/ioctl.h>
#include <time.h>
#include "connection.h"
#include "project.h"
#include "words.h"

/* As in bin/cli/limits.ts. */
enum { GRACE_MS = 2000, BUSY_MS = 8000, MAX_REQUEST_BYTES = 16 << 20 };
enum { FAREWELL_MS = 200, EXIT_BROKEN_PIPE = 141 };

/* When too little has been heard for too long; 0 for never. */
static double silent_at, busy_at;
static double limit_ms;
static volatile sig_atomic_t caught_signal;

/* Writes all, as bin/cli/terminal.ts does. */
static void print(int file, const char *bytes, size_t length) {
  while (length > 0) {
    ssize_t count = write(file, bytes, length);
    if (count >= 0) bytes += count, length -= (size_t)count;
    else if (errno == EAGAIN) poll(NULL, 0, RETRY_MS);
    else if (errno == EPIPE && file == STDOUT_FILENO) _exit(EXIT_BROKEN_PIPE);
    else return;
  }
}

/* In doubt: more that was sent of the call may be unread. */
static void print_string(int file, Json string, const char *ending) {
  if (!is_string(string)) hand_over_in_doubt();
  Buffer text = string_of(string);
  append_text(&text, ending);
  print(file, text.bytes, text.length);
  free(text.bytes);
}

static double now_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

/* Should it go on, it is not to do what nobody waits for. A request that is not sent whole is not run anyway. */
static void cancel(void) {
  static const char text[] = "{\"jsonrpc\":\"2.0\",\"method\":\"call.cancel\",\"params\":{\"id\":\"1\"}}";
  if (sent_bytes < outgoing.length) return;
  queue_frame(TEXT, text, sizeof text - 1);
  queue_frame(CLOSE, "", 0);
  send_queued();
}

static _Noreturn void end_by_signal(void) {
  cancel();
  shutdown(connection, SHUT_WR);
  char rest[READ_BYTES];
  double end = now_ms() + FAREWELL_MS, left;
  while ((left = end - now_ms()) > 0 && poll(&(struct pollfd){connection, POLLIN, 0}, 1, (int)left + 1) > 0)
    if (read(connection, rest, sizeof rest) <= 0) break;
  _exit(128 + caught_signal);
}

/* A string, or what stands in its place where there is none. */
static Buffer text_or(Json json, const char *otherwise) {
  if (json.at) return string_of(json);
  Buffer text = {NULL, 0, 0};
  append_text(&text, otherwise);
  return text;
}

/* As bin/cli/failure.ts. */
static int exit_code_of(const Buffer *kind) {
  static const struct {
    const char *kind;
    int code;
  } codes[] = {{"invalid_params", 2}, {"no_daemon", 3}, {"unauthorized", 4}, {"forbidden", 4}, {"timeout", 124}};
  for (size_t at = 0; at < sizeof codes / sizeof *codes; at++)
    if (kind->length == strlen(codes[at].kind) && memcmp(kind->bytes, codes[at].kind, kind->length) == 0) return codes[at].code;
  return 1;
}

static _Noreturn void complain(Json error) {
  Buffer sentence = string_of(member(error, "message")), line = {NULL, 0, 0};
  Buffer kind = text_or(member(member(error, "data"), "kind"), "internal");
  Buffer hint = text_or(member(member(error, "data"), "hint"), "Run `browse doctor`");
  if (has_word("--json")) {
    append_member(&line, "{\"error\":{\"kind\":", kind.bytes, kind.length);
    append_member(&line, ",\"hint\":", hint.bytes, hint.length);
    append_member(&line, ",\"message\":", sentence.bytes, sentence.length);
    append_text(&line, "}}");
  } else {
    append_text(&line, "Error: ");
    append(&line, sentence.bytes, sentence.length);
    append_text(&line, has_word("--quiet") ? "" : "\nHint: ");
    append(&line, hint.bytes, has_word("--quiet") ? 0 : hint.length);
  }
  append_text(&line, "\n");
  print(STDERR_FILENO, line.bytes, line.length);
  _exit(exit_code_of(&kind));
}

/* Nothing that was sent of the call is unread now. */
static _Noreturn void answer(Json reply) {
  Json error = member(reply, "error"), result = member(reply, "result");
  Json text = member(result, "stdout"), complaint = member(result, "stderr");
  long exit_code = count_of(member(result, "exitCode"), 255);
  if (error.at && *error.at == '{') complain(error);
  need((!error.at || is_word(error, "null")) && is_string(text) && is_string(complaint) && exit_code >= 0);
  print_string(STDERR_FILENO, complaint, "");
  print_string(STDOUT_FILENO, text, "");
  _exit((int)exit_code);
}

static void append_scalar(Buffer *buffer, Json json) {
  if (is_string(json)) append_string(buffer, json);
  else if (json.at) append(buffer, json.at, (size_t)(json.end - json.at));
}

/* On one line of a terminal that is written over. */
static void show_progress(Json params) {
  if (!isatty(STDERR_FILENO)) return;
  Json total = member(params, "total");
  Buffer line = {NULL, 0, 0};
  append_text(&line, "\r\x1b[K");
  append_scalar(&line, member(params, "done"));
  if (total.at && !is_word(total, "0")) append_text(&line, " of "), append_scalar(&line, total);
  append_text(&line, " ");
  append_scalar(&line, member(params, "unit"));
  print(STDERR_FILENO, line.bytes, line.length);
  free(line.bytes);
}

static void await_word(void) {
  if (limit_ms >= 0) silent_at = now_ms() + limit_ms + GRACE_MS;
}

static void take_message(const char *bytes, size_t length) {
  Json whole = {bytes, bytes + length};
  if (!is_valid_json(whole)) hand_over_in_doubt();
  Json method = member(whole, "method"), id = member(whole, "id"), params = member(whole, "params");
  if (!method.at && (equals(id, "1") || is_word(id, "null"))) answer(whole);
  if (!method.at || !equals(member(params, "id"), "1")) return;
  await_word();
  if (equals(method, "accepted")) call.is_accepted = true;
  else if (equals(method, "progress")) show_progress(params);
  else if (equals(method, "log")) print_string(STDERR_FILENO, member(params, "message"), "\n");
  else if (equals(method, "output")) {
    bool is_error = equals(member(params, "stream"), "stderr");
    print_string(is_error ? STDERR_FILENO : STDOUT_FILENO, member(params, "text"), "");
  } else if (equals(method, "ask")) hand_over_in_doubt();
}

static void look_at_clock(void) {
  double now = now_ms();
  if (silent_at > 0 && now >= silent_at) {
    cancel();
    call.is_silent = true;
    hand_over();
  }
  if (is_open) busy_at = 0;
  if (busy_at == 0 || now < busy_at) return;
  busy_at = 0;
  dprintf(STDERR_FILENO, "The daemon (process %ld) is busy; still waiting\n", call.pid);
}

static _Noreturn void await_answer(void) {
  for (;;) {
    look_at_clock();
    double deadline = silent_at > 0 && (busy_at == 0 || silent_at < busy_at) ? silent_at : busy_at;
    double left = deadline > now_ms() ? deadline - now_ms() : 0;
    struct timespec wait = {(time_t)(left / 1e3), (long)(left * 1e6) % 1000000000};
    struct pollfd watched = {connection, (short)(POLLIN | (sent_bytes < outgoing.length ? POLLOUT : 0)), 0};
    int ready = ppoll(&watched, 1, deadline > 0 ? &wait : NULL, &earlier_mask);
    if (caught_signal) end_by_signal();
    if (ready > 0) send_queued(), receive();
  }
}

/* The members in the order of the Node client's: asked again, the daemon knows the call by what it was asked. */
static void queue_request(const char *cwd) {
  Buffer request = {NULL, 0, 0};
  struct stat status;
  const char *session = getenv("BROWSE_SESSION"), *no_color = getenv("NO_COLOR");
  bool is_terminal = fstat(STDOUT_FILENO, &status) == 0 && S_ISCHR(status.st_mode) && isatty(STDOUT_FILENO);
  append_text(&request, "{\"jsonrpc\":\"2.0\",\"id\":\"1\",\"method\":\"cli.exec\",\"params\":{\"argv\":[");
  for (int at = 1; at < word_count; at++) append_member(&request, at > 1 ? "," : "", words[at], strlen(words[at]));
  append_member(&request, "],\"cwd\":", cwd, strlen(cwd));
  if (input.bytes) append_member(&request, ",\"stdin\":", input.bytes, input.length);
  append_text(&request, is_terminal && !(no_color && *no_color) ? ",\"tty\":true" : ",\"tty\":false");
  struct winsize window;
  char columns[32];
  if (is_terminal && ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) == 0) {
    snprintf(columns, sizeof columns, ",\"columns\":%d", window.ws_col);
    append_text(&request, columns);
  }
  if (session && *session) append_member(&request, ",\"session\":", session, strlen(session));
  append_member(&request, ",\"version\":", VERSION, strlen(VERSION));
  append_text(&request, "}}");
  need(request.length <= MAX_REQUEST_BYTES);
  queue_frame(TEXT, request.bytes, request.length);
  free(request.bytes);
}

static void note_signal(int signal) {
  caught_signal = signal;
}

/* They arrive only where there is an answer to wait for. */
static void listen_to_signals(void) {
  sigset_t mask;
  struct sigaction action = {.sa_handler = note_signal};
  sigemptyset(&mask);
  sigaddset(&mask, SIGINT);
  sigaddset(&mask, SIGTERM);
  sigprocmask(SIG_BLOCK, &mask, NULL);
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
  signal(SIGPIPE, SIG_IGN);
}

int main(int argc, char **argv) {
  char cwd[PATH_MAX], state_folder[PATH_MAX];
  const char *given = getenv("BROWSE_URL");
  word_count = argc;
  words = argv;
  sigprocmask(SIG_BLOCK, NULL, &earlier_mask);
  // Node opens those that are closed, and a file opened here must not take their place.
  for (int file = STDIN_FILENO; file <= STDERR_FILENO; file++) need(fcntl(file, F_GETFD) >= 0);
  need(argc > 0 && !(given && *given));
  bool reads_input = read_words();
  limit_ms = read_limit();
  need(getcwd(cwd, sizeof cwd) && is_plain_path(cwd));
  find_state_folder(state_folder, cwd);
  Daemon daemon = find_daemon(state_folder);
  call.pid = daemon.pid;
  call.start_time = daemon.start_time;
  if (reads_input) input = read_all(STDIN_FILENO, SIZE_MAX);
  need(is_utf8(input.bytes, input.length) && getrandom(nonce, sizeof nonce, 0) == sizeof nonce);
  listen_to_signals();
  connect_to(&daemon);
  queue_upgrade(&daemon);
  queue_request(cwd);
  send_queued();
  busy_at = now_ms() + BUSY_MS;
  await_word();
  await_answer();
}
