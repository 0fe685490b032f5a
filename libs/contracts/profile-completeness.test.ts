import fc from 'fast-check';
import { PROFILE_FIELDS, profileCompleteness } from './profile-completeness.ts';

const full = Object.fromEntries(PROFILE_FIELDS.map((field) => [field, 'x']));

describe('profileCompleteness', () => {
  it('[PROFILE-006] is computed over the eight fields', () => {
    expect([...PROFILE_FIELDS].sort()).toEqual(
      [
        'city',
        'email',
        'govt_id_image',
        'govt_id_number',
        'govt_id_type',
        'name',
        'phone_no',
        'state',
      ].sort(),
    );
    expect(profileCompleteness({}).missing).toHaveLength(8);
  });

  it('[PROFILE-007] counts an empty, null or absent value as missing', () => {
    const { city: _city, ...rest } = full;
    expect(profileCompleteness({ ...rest, name: '', email: null, state: '  ' }).missing).toEqual([
      'name',
      'email',
      'city',
      'state',
    ]);
  });

  it('[PROFILE-008] rounds the share of filled fields to a whole percentage', () => {
    expect(profileCompleteness({ ...full, govt_id_image: null }).completionPercentage).toBe(88);
    expect(profileCompleteness({ name: 'x' }).completionPercentage).toBe(13);
    expect(profileCompleteness({}).completionPercentage).toBe(0);
  });

  it('[PROFILE-009] gives isComplete, completionPercentage and the missing fields', () => {
    expect(profileCompleteness({ ...full, city: '' })).toEqual({
      isComplete: false,
      completionPercentage: 88,
      missing: ['city'],
    });
  });

  it('[PROFILE-010] is complete only when nothing is missing', () => {
    expect(profileCompleteness(full)).toEqual({ isComplete: true, completionPercentage: 100, missing: [] });
    fc.assert(
      fc.property(fc.subarray([...PROFILE_FIELDS], { minLength: 1 }), (absent) => {
        const user = Object.fromEntries(
          Object.entries(full).filter(([key]) => !new Set<string>(absent).has(key)),
        );
        const result = profileCompleteness(user);
        expect(result.isComplete).toBe(false);
        expect(result.completionPercentage).toBeLessThan(100);
        expect([...result.missing].sort()).toEqual([...absent].sort());
      }),
    );
  });
});
