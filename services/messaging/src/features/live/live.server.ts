/** The types of the socket server: its events, commands and the data of a socket. */
import type { LiveAnswer, LiveCommands, LiveEvents } from '@karaar/contracts/messaging/live';
import type { Principal } from '@karaar/platform/auth';
import type { Server, Socket } from 'socket.io';

/** One event for the sockets of a room. */
export type Told = {
  [E in keyof LiveEvents]: [room: string, event: E, data: LiveEvents[E]];
}[keyof LiveEvents];
/** What a process says to the others; `no` counts its words, so that one that did not come is noticed. */
export type Word = { from: string; no: number; told: Told[] };
/** What processes say to each other, by name. */
export type BetweenProcesses = { word: (word: Word) => void };

type ServerToClient = { [E in keyof LiveEvents]: (data: LiveEvents[E]) => void };
type ClientToServer = {
  [C in keyof LiveCommands]: (data: LiveCommands[C], answer?: (answer: LiveAnswer) => void) => void;
};
/** What the server keeps of a socket. The token is asked about again as long as the socket lives. */
export type SocketData = { principal: Principal; token: string };
export type LiveServer = Server<ClientToServer, ServerToClient, BetweenProcesses, SocketData>;
export type LiveSocket = Socket<ClientToServer, ServerToClient, BetweenProcesses, SocketData>;
