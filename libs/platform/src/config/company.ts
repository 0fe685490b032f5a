/** Who issues receipts and statements, as an Indian business names itself on them. */
import { Type, type Static, type TObject } from 'typebox';

export const companyEnv = {
  COMPANY_NAME: Type.String({ minLength: 1, maxLength: 200, default: 'Karaar' }),
  COMPANY_ADDRESS: Type.String({ maxLength: 400, default: '' }),
  /** State, PAN, number of the registration, Z, check character; empty of a business that is not registered. */
  COMPANY_GSTIN: Type.String({
    pattern: '^([0-3][0-9][A-Z]{5}[0-9]{4}[A-Z][1-9A-Z]Z[0-9A-Z])?$',
    default: '',
  }),
};
export type Company = Readonly<Static<TObject<typeof companyEnv>>>;

/** What the lines about the issuer are called, in the reader's language. */
export type IssuerLabels = { issuedBy: string; address: string; gstin: string };

/** The lines that name the issuer on a page of account; what is not set is left out. */
export function issuerFacts(company: Company, labels: IssuerLabels): { label: string; value: string }[] {
  return [
    { label: labels.issuedBy, value: company.COMPANY_NAME },
    { label: labels.address, value: company.COMPANY_ADDRESS },
    { label: labels.gstin, value: company.COMPANY_GSTIN },
  ].filter(({ value }) => value !== '');
}
