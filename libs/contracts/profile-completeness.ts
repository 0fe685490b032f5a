/** The eight fields of a complete profile (spec §5), in the order of the form. */
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

export type ProfileField = (typeof PROFILE_FIELDS)[number];

export type CompletenessResult = {
  isComplete: boolean;
  /** Whole percent, 0 to 100. */
  completionPercentage: number;
  missing: ProfileField[];
};

/** Returns the completeness of a profile (spec §5): an empty, null or absent value counts as missing. */
export function profileCompleteness(
  user: Partial<Record<ProfileField, string | null | undefined>>,
): CompletenessResult {
  const missing = PROFILE_FIELDS.filter((field) => !user[field]?.trim());
  const filled = PROFILE_FIELDS.length - missing.length;
  return {
    isComplete: missing.length === 0,
    completionPercentage: Math.round((filled / PROFILE_FIELDS.length) * 100),
    missing,
  };
}
