import { IsPhoneText } from './request-fields';

/** The body of spec e2 and e3. */
export class PhoneBody {
  @IsPhoneText()
  phoneNumber: string;
}
