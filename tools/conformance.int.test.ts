import { judgeRepository } from './conformance-rows.ts';

it('each row of the specification has a test at each of its levels', () => {
  const { rows, faults } = judgeRepository();
  expect(rows.length).toBeGreaterThan(600);
  expect(rows.filter(({ lacks }) => lacks.length > 0).map(({ id, lacks }) => [id, lacks])).toEqual([]);
  expect(faults).toEqual([]);
});
