/** Questions between services that go past the broker, from inner door to inner door (docs/adr/0073). */
export { createAsker, type Ask } from './ask.ts';
export { answerQuestion } from './answer.ts';
