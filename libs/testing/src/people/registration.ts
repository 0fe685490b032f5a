/** Returns a user's registration form, except the image of the ID (`idCardPng` of `faces.ts`). */
export const registrationOf = (name: string, phone: string) => ({
  name,
  email: `${phone.slice(1)}@example.org`,
  phone_no: phone,
  city: 'Pune',
  state: 'Maharashtra',
  govt_id_type: 'PAN',
  govt_id_number: 'ABCDE1234F',
});
