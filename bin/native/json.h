/* Reads JSON in place, as strictly as JSON.parse does, and no deeper than MAX_DEPTH. */
#ifndef JSON_H
#define JSON_H
#include "hand_over.h"

enum { MAX_DEPTH = 64 };

/* One value of a text; `at` is NULL for a member that is not there. */
typedef struct {
  const char *at, *end;
} Json;

/* Takes one of these bytes, if it is what comes next. */
static bool accept_one(Json *json, const char *choice) {
  if (json->at == json->end || !*json->at || !strchr(choice, *json->at)) return false;
  json->at++;
  return true;
}

static void skip_space(Json *json) {
  while (accept_one(json, " \t\n\r")) {}
}

static bool skip_digits(Json *json) {
  const char *start = json->at;
  while (accept_one(json, "0123456789")) {}
  return json->at > start;
}

static bool skip_number(Json *json) {
  accept_one(json, "-");
  if (!accept_one(json, "0") && !skip_digits(json)) return false;
  if (accept_one(json, ".") && !skip_digits(json)) return false;
  if (!accept_one(json, "eE")) return true;
  accept_one(json, "+-");
  return skip_digits(json);
}

static bool skip_string(Json *json) {
  if (!accept_one(json, "\"")) return false;
  while (json->at < json->end) {
    unsigned char byte = (unsigned char)*json->at++;
    if (byte == '"') return true;
    if (byte < 0x20) return false;
    if (byte != '\\' || accept_one(json, "\"\\/bfnrt")) continue;
    if (!accept_one(json, "u")) return false;
    for (int digit = 0; digit < 4; digit++)
      if (!accept_one(json, "0123456789abcdefABCDEF")) return false;
  }
  return false;
}

static bool skip_word(Json *json, const char *word) {
  size_t length = strlen(word);
  if ((size_t)(json->end - json->at) < length || memcmp(json->at, word, length) != 0) return false;
  json->at += length;
  return true;
}

static bool skip_items(Json *json, int depth, const char *name, Json *found);

static bool skip_value(Json *json, int depth) {
  if (json->at == json->end || depth > MAX_DEPTH) return false;
  switch (*json->at) {
    case '"': return skip_string(json);
    case '{':
    case '[': return skip_items(json, depth + 1, NULL, NULL);
    case 't': return skip_word(json, "true");
    case 'f': return skip_word(json, "false");
    case 'n': return skip_word(json, "null");
    default: return skip_number(json);
  }
}

/* Is the text one value, and nothing else? */
static bool is_valid_json(Json text) {
  skip_space(&text);
  if (!skip_value(&text, 0)) return false;
  skip_space(&text);
  return text.at == text.end;
}

static void append_code(Buffer *buffer, uint32_t code) {
  if (code < 0x80) return append(buffer, &(char){(char)code}, 1);
  static const unsigned char leads[] = {0, 0xc0, 0xe0, 0xf0};
  int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
  unsigned char bytes[4] = {leads[more] | (unsigned char)(code >> 6 * more)};
  for (int at = 1; at <= more; at++) bytes[at] = 0x80 | (code >> 6 * (more - at) & 0x3f);
  append(buffer, bytes, (size_t)more + 1);
}

static uint32_t hex_code(const char *at) {
  char digits[5] = {at[0], at[1], at[2], at[3]};
  return (uint32_t)strtoul(digits, NULL, 16);
}

/* The escape at a backslash of a string that ends at `end`; gives what follows it. */
static const char *append_escape(Buffer *buffer, const char *at, const char *end) {
  static const char letters[] = "bfnrt", bytes[] = "\b\f\n\r\t";
  const char *letter = strchr(letters, at[1]);
  if (at[1] != 'u') return append(buffer, letter ? bytes + (letter - letters) : at + 1, 1), at + 2;
  uint32_t code = hex_code(at + 2), low = end - at >= 12 && at[6] == '\\' && at[7] == 'u' ? hex_code(at + 8) : 0;
  bool is_pair = code >> 10 == 0x36 && low >> 10 == 0x37;
  if (is_pair) code = 0x10000 + ((code & 0x3ff) << 10) + (low & 0x3ff);
  append_code(buffer, code >> 11 == 0x1b ? 0xfffd : code);
  return at + (is_pair ? 12 : 6);
}

static void append_string(Buffer *buffer, Json string) {
  const char *at = string.at + 1, *end = string.end - 1, *escape;
  for (; (escape = memchr(at, '\\', (size_t)(end - at))); at = append_escape(buffer, escape, end))
    append_utf8(buffer, at, (size_t)(escape - at));
  append_utf8(buffer, at, (size_t)(end - at));
}

static bool is_string(Json json) {
  return json.at && *json.at == '"';
}

static Buffer string_of(Json json) {
  Buffer text = {NULL, 0, 0};
  need(is_string(json));
  append_string(&text, json);
  return text;
}

/* Is it a string, and that one? */
static bool equals(Json json, const char *text) {
  static Buffer decoded;
  decoded.length = 0;
  if (!is_string(json)) return false;
  append_string(&decoded, json);
  return decoded.length == strlen(text) && memcmp(decoded.bytes, text, decoded.length) == 0;
}

/* Skips an object or a list. `found` becomes the object's member of that name: the last, as with JSON.parse. */
static bool skip_items(Json *json, int depth, const char *name, Json *found) {
  bool is_object = *json->at++ == '{';
  const char *close = is_object ? "}" : "]";
  skip_space(json);
  if (accept_one(json, close)) return true;
  do {
    skip_space(json);
    Json key = *json;
    if (is_object && !skip_string(json)) return false;
    key.end = json->at;
    skip_space(json);
    if (is_object && !accept_one(json, ":")) return false;
    skip_space(json);
    Json value = *json;
    if (!skip_value(json, depth)) return false;
    value.end = json->at;
    skip_space(json);
    if (name && equals(key, name)) *found = value;
  } while (accept_one(json, ","));
  return accept_one(json, close);
}

/* A member of a value that was found to be valid; none where that is no object. */
static Json member(Json object, const char *name) {
  Json found = {NULL, NULL};
  if (object.at) skip_space(&object);
  if (object.at && *object.at == '{') skip_items(&object, 0, name, &found);
  return found;
}

static bool is_word(Json json, const char *word) {
  return json.at && (size_t)(json.end - json.at) == strlen(word) && memcmp(json.at, word, strlen(word)) == 0;
}

/* From 0 to `most`, which has fewer than ten digits; -1 for all else. */
static long count_of(Json json, long most) {
  size_t length = json.at ? (size_t)(json.end - json.at) : 0;
  if (length == 0 || length > 9 || strspn(json.at, "0123456789") < length || (*json.at == '0' && length > 1)) return -1;
  long count = strtol(json.at, NULL, 10);
  return count <= most ? count : -1;
}

#endif
