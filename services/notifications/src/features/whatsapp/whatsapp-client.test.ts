import { causeOf, failureOf } from './whatsapp-client.ts';

it.each([
  [190, 'away'],
  [0, 'away'],
  [10, 'away'],
  [200, 'away'],
  [299, 'away'],
  [4, 'away'],
  [80_007, 'away'],
  [130_429, 'away'],
  [131_048, 'away'],
  [131_031, 'away'],
  [131_056, 'later'],
  [131_016, 'later'],
  [132_001, 'later'],
  [132_015, 'later'],
  [131_026, 'refused'],
  [131_047, 'refused'],
  [131_050, 'refused'],
  [100, 'refused'],
  [300, 'refused'],
  [132_100, 'refused'],
] as const)("Meta's error %d leaves a message %s", (code, failure) => {
  expect(failureOf(code)).toBe(failure);
});

it.each([
  [131_026, 'unreachable'],
  [131_050, 'blocked'],
  [131_049, 'blocked'],
  [131_047, 'undelivered'],
  [0, 'undelivered'],
] as const)("the cause of Meta's error %d is %s", (code, cause) => {
  expect(causeOf(code)).toBe(cause);
});
