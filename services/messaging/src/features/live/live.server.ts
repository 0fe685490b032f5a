import type { LiveAnswer, LiveCommands, LiveEvents } from '@karaar/contracts/messaging/live';
import type { Principal } from '@karaar/http/auth';
import type { Server, Socket } from 'socket.io';

export type RoomEvent = {
  [E in keyof LiveEvents]: [room: string, event: E, data: LiveEvents[E]];
}[keyof LiveEvents];
/** A publication to the other processes. `no` is a counter, so that a missing one is noticed. */
export type Word = { from: string; no: number; told: RoomEvent[] };
export type BetweenProcesses = { word: (word: Word) => void };

type ServerToClient = { [E in keyof LiveEvents]: (data: LiveEvents[E]) => void };
type ClientToServer = {
  [C in keyof LiveCommands]: (data: LiveCommands[C], answer?: (answer: LiveAnswer) => void) => void;
};
/** The data of a socket. The token is needed to check the session again later. */
export type SocketData = { principal: Principal; token: string };
export type LiveServer = Server<ClientToServer, ServerToClient, BetweenProcesses, SocketData>;
export type LiveSocket = Socket<ClientToServer, ServerToClient, BetweenProcesses, SocketData>;
