/*
 * The connection to the daemon: as much of RFC 6455 as bin/cli/socket.ts has. The upgrade and the request travel in one
 * packet; what comes is given to `take_message`, a message at a time.
 */
#ifndef CONNECTION_H
#define CONNECTION_H
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/random.h>
#include <sys/socket.h>
#include "project.h"

enum { CONNECT_MS = 1000, MAX_UPGRADE_BYTES = 16 << 10, MAX_MESSAGE_BYTES = 64 << 20, MAX_CONTROL_BYTES = 125 };
enum { TEXT = 1, BINARY = 2, CLOSE = 8, PING = 9, PONG = 10, FINAL = 128, MASKED = 128 };

static int connection = -1;
static Buffer incoming, outgoing, message;
static size_t sent_bytes;
/* The daemon has answered the upgrade. */
static bool is_open;
/* Tells this client from any other, and this request. */
static uint64_t nonce[2];

static void take_message(const char *bytes, size_t length);

static void queue_frame(int kind, const char *payload, size_t length) {
  size_t extra = length < 126 ? 0 : length < 65536 ? 2 : 8;
  unsigned char head[14] = {(unsigned char)(FINAL | kind), MASKED | (extra == 0 ? length & 127 : extra == 2 ? 126 : 127)};
  for (size_t at = 0; at < extra; at++) head[2 + at] = (unsigned char)(length >> 8 * (extra - 1 - at));
  unsigned char *mask = memcpy(head + 2 + extra, nonce, 4);
  append(&outgoing, head, extra + 6);
  reserve(&outgoing, length);
  for (size_t at = 0; at < length; at++) outgoing.bytes[outgoing.length++] = (char)(payload[at] ^ mask[at & 3]);
}

/* What cannot be sent any more is given up: what the daemon has said until then is yet to be read. */
static void send_queued(void) {
  while (sent_bytes < outgoing.length) {
    ssize_t count = write(connection, outgoing.bytes + sent_bytes, outgoing.length - sent_bytes);
    if (count < 0 && errno == EAGAIN) return;
    if (count < 0) outgoing.length = sent_bytes;
    else sent_bytes += (size_t)count, call.is_sent = true;
  }
}

static void take_frame(int first, const char *payload, size_t length) {
  int kind = first & 15;
  need(kind != CLOSE);
  if (kind == PING && length > MAX_CONTROL_BYTES) hand_over_in_doubt();
  // One that does not take what it is sent gets no more of it.
  if (kind == PING && sent_bytes == outgoing.length) {
    outgoing.length = sent_bytes = 0;
    queue_frame(PONG, payload, length);
    send_queued();
  }
  if (kind > BINARY) return;
  if (length > MAX_MESSAGE_BYTES - message.length) hand_over_in_doubt();
  bool is_whole = first & FINAL && message.length == 0;
  if (is_whole) return take_message(payload, length);
  append(&message, payload, length);
  if (!(first & FINAL)) return;
  take_message(message.bytes, message.length);
  message.length = 0;
}

/* Takes the frame that is at the beginning of these bytes; gives its length, or 0 when it is not whole. */
static size_t read_frame(const char *bytes, size_t left) {
  if (left < 2) return 0;
  size_t length = bytes[1] & 127, extra = length < 126 ? 0 : length == 126 ? 2 : 8;
  if (left < 2 + extra) return 0;
  if (extra > 0) length = 0;
  for (size_t at = 0; at < extra; at++) length = length << 8 | (unsigned char)bytes[2 + at];
  if (length > MAX_MESSAGE_BYTES) hand_over_in_doubt();
  size_t whole = 2 + extra + length;
  if (left < whole) return reserve(&incoming, whole - left), 0;
  take_frame((unsigned char)bytes[0], bytes + 2 + extra, length);
  return whole;
}

/* The answer to the upgrade; gives its length, or 0 when it is not whole. */
static size_t read_upgrade(void) {
  const char *end = memmem(incoming.bytes, incoming.length, "\r\n\r\n", 4);
  if (!end) return need(incoming.length < MAX_UPGRADE_BYTES), 0;
  size_t length = (size_t)(end + 4 - incoming.bytes);
  need(length >= 12 && memcmp(incoming.bytes + 9, "101", 3) == 0);
  is_open = true;
  return length;
}

static void receive(void) {
  reserve(&incoming, READ_BYTES);
  ssize_t count = read(connection, incoming.bytes + incoming.length, incoming.room - incoming.length);
  if (count < 0 && errno == EAGAIN) return;
  need(count > 0);
  incoming.length += (size_t)count;
  size_t taken = is_open ? 0 : read_upgrade(), step = 1;
  while (is_open && step > 0) taken += step = read_frame(incoming.bytes + taken, incoming.length - taken);
  if (taken > 0) memmove(incoming.bytes, incoming.bytes + taken, incoming.length - taken);
  incoming.length -= taken;
}

static void connect_to(const Daemon *daemon) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)daemon->port)};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  connection = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  need(connection >= 0);
  need(connect(connection, (struct sockaddr *)&address, sizeof address) == 0 || errno == EINPROGRESS);
  need(poll(&(struct pollfd){connection, POLLOUT, 0}, 1, CONNECT_MS) == 1);
  int error = 0;
  socklen_t length = sizeof error;
  need(getsockopt(connection, SOL_SOCKET, SO_ERROR, &error, &length) == 0 && error == 0);
  setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
}

static void queue_upgrade(const Daemon *daemon) {
  char text[512];
  snprintf(call.client, sizeof call.client, "%ld-%016llx", (long)getpid(), (unsigned long long)nonce[1]);
  snprintf(text, sizeof text,
           "GET /rpc HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
           "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: %016llxAAAAAA==\r\nX-Browse-Client: %s\r\nAuthorization: Bearer ",
           daemon->port, (unsigned long long)nonce[0], call.client);
  append_text(&outgoing, text);
  append(&outgoing, daemon->token.bytes, daemon->token.length);
  append_text(&outgoing, "\r\n\r\n");
}

#endif
