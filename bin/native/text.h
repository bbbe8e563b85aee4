/* Bytes that grow, and text in UTF-8 and JSON. */
#ifndef TEXT_H
#define TEXT_H
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  char *bytes;
  size_t length, room;
} Buffer;

/* What is read at a time. */
enum { READ_BYTES = 16384 };

/* Where there is no memory left, too. */
static _Noreturn void hand_over_in_doubt(void);

static void reserve(Buffer *buffer, size_t extra) {
  if (buffer->bytes && buffer->room - buffer->length >= extra) return;
  if (extra > SIZE_MAX / 4 || buffer->length > SIZE_MAX / 4) hand_over_in_doubt();
  size_t room = buffer->length + extra > buffer->room * 2 ? buffer->length + extra : buffer->room * 2;
  char *bytes = realloc(buffer->bytes, room + 1);
  if (!bytes) hand_over_in_doubt();
  buffer->bytes = bytes;
  buffer->room = room;
}

static void append(Buffer *buffer, const void *bytes, size_t length) {
  reserve(buffer, length);
  memcpy(buffer->bytes + buffer->length, bytes, length);
  buffer->length += length;
}

static void append_text(Buffer *buffer, const char *text) {
  append(buffer, text, strlen(text));
}

/* How many bytes are one character, or stand for one U+FFFD: as many as begin a character, as Node has it. */
static size_t character_length(const char *text, size_t left, bool *is_valid) {
  const unsigned char *bytes = (const unsigned char *)text, lead = bytes[0];
  size_t length = lead < 0x80 ? 1 : lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0, at = 1;
  unsigned char least = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
  unsigned char most = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
  for (; at < length && at < left && bytes[at] >= least && bytes[at] <= most; at++) least = 0x80, most = 0xbf;
  *is_valid = at == length;
  return at;
}

static bool is_utf8(const char *bytes, size_t length) {
  bool is_valid = true;
  for (size_t at = 0; at < length && is_valid;) at += character_length(bytes + at, length - at, &is_valid);
  return is_valid;
}

static void append_utf8(Buffer *buffer, const char *bytes, size_t length) {
  size_t start = 0, count;
  bool is_valid;
  for (size_t at = 0; at < length; at += count) {
    count = character_length(bytes + at, length - at, &is_valid);
    if (is_valid) continue;
    append(buffer, bytes + start, at - start);
    append_text(buffer, "\xef\xbf\xbd");
    start = at + count;
  }
  append(buffer, bytes + start, length - start);
}

/* A member of a JSON object, the rest of which is in `before`: escaped as JSON.stringify does it. */
static void append_member(Buffer *buffer, const char *before, const char *bytes, size_t length) {
  static const char escaped[] = "\b\t\n\f\r\"\\", letters[] = "btnfr\"\\";
  size_t start = 0;
  append_text(buffer, before);
  append_text(buffer, "\"");
  for (size_t at = 0; at < length; at++) {
    unsigned char byte = (unsigned char)bytes[at];
    if (byte >= 0x20 && byte != '"' && byte != '\\') continue;
    const char *known = memchr(escaped, byte, sizeof escaped - 1);
    char escape[8];
    if (known) snprintf(escape, sizeof escape, "\\%c", letters[known - escaped]);
    else snprintf(escape, sizeof escape, "\\u%04x", byte);
    append_utf8(buffer, bytes + start, at - start);
    append_text(buffer, escape);
    start = at + 1;
  }
  append_utf8(buffer, bytes + start, length - start);
  append_text(buffer, "\"");
}

#endif
