/** Profile completeness over exactly eight fields (spec §5). */
export const PROFILE_FIELDS = [
  'name',
  'email',
  'phone_no',
  'city',
  'state',
  'govt_id_type',
  'govt_id_number',
  'govt_id_image',
] as const;

type Profile = { [F in (typeof PROFILE_FIELDS)[number]]?: unknown };

/** Complete only when none of the eight is empty, null or absent. */
export const isProfileComplete = (profile: Profile): boolean =>
  PROFILE_FIELDS.every((field) => {
    const value = profile[field];
    return value !== undefined && value !== null && value !== '';
  });
