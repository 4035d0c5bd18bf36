/* The least that can fan out: accepts WebSockets, and for each line on its standard input calls send() once for each of
them, with the same ready frame. `send_loop PORT BYTES`; what a browser says is not read. */
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define MOST 65536

/* The answer to the key that bench/browsers.py sends (RFC 6455, section 1.3). */
static const char ANSWER[] =
    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n";
static int sockets[MOST], count;

static void open_socket(int listening) {
  char request[4096];
  int one = 1, socket = accept(listening, 0, 0);
  if (socket < 0 || count == MOST) return;
  setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  if (recv(socket, request, sizeof request, 0) > 0 && send(socket, ANSWER, sizeof ANSWER - 1, 0) > 0) sockets[count++] = socket;
}

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  int length = atoi(argv[2]), one = 1, listening = socket(AF_INET, SOCK_STREAM, 0);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(atoi(argv[1])), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  setsockopt(listening, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
  if (length < 126 || length > 65535 || bind(listening, (struct sockaddr *)&address, sizeof address) || listen(listening, 1024)) return 1;
  /* A text message of that many bytes, with what the browsers count in it. */
  char *frame = malloc(length + 4), line[64];
  memset(frame, 'x', length + 4);
  frame[0] = (char)0x81, frame[1] = 126, frame[2] = (char)(length >> 8), frame[3] = (char)length;
  memcpy(frame + 4, "{\"prev\"", 7);
  frame[length + 3] = '}';
  struct pollfd waiting[2] = {{.fd = listening, .events = POLLIN}, {.fd = 0, .events = POLLIN}};
  while (poll(waiting, 2, -1) > 0) {
    if (waiting[0].revents) open_socket(listening);
    if (!waiting[1].revents) continue;
    ssize_t events = read(0, line, sizeof line);
    if (events <= 0) return 0;
    for (; events > 0; events--)
      for (int each = 0; each < count; each++) send(sockets[each], frame, length + 4, MSG_NOSIGNAL);
  }
  return 0;
}
