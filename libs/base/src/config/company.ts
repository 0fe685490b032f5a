/** The company that issues receipts and statements, with the details that Indian law requires on them. */
import { Type, type Static, type TObject } from 'typebox';

export const companyEnv = {
  COMPANY_NAME: Type.String({ minLength: 1, maxLength: 200, default: 'Karaar' }),
  COMPANY_ADDRESS: Type.String({ maxLength: 400, default: '' }),
  /** State, PAN, registration number, Z, check character; empty if the business is not registered. */
  COMPANY_GSTIN: Type.String({
    pattern: '^([0-3][0-9][A-Z]{5}[0-9]{4}[A-Z][1-9A-Z]Z[0-9A-Z])?$',
    default: '',
  }),
};
export type Company = Readonly<Static<TObject<typeof companyEnv>>>;

export type IssuerLabels = { issuedBy: string; address: string; gstin: string };

/** Returns the lines that name the issuer on a receipt or statement, without unset ones. */
export function issuerFacts(company: Company, labels: IssuerLabels): { label: string; value: string }[] {
  return [
    { label: labels.issuedBy, value: company.COMPANY_NAME },
    { label: labels.address, value: company.COMPANY_ADDRESS },
    { label: labels.gstin, value: company.COMPANY_GSTIN },
  ].filter(({ value }) => value !== '');
}
