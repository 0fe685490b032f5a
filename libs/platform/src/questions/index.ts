/** Questions between services that go past the broker, from internal port to internal port (docs/adr/0073). */
export { createAsker, type Ask } from './ask.ts';
export { answerQuestion } from './answer.ts';
