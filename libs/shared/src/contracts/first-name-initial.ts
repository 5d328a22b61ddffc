import { IsUUID } from 'class-validator';

/** POST /internal/first-name-initial of accounts, for the look-up of a payment reference. */
export class FirstNameInitialQuestion {
  @IsUUID()
  userId: string;
}

export interface FirstNameInitialAnswer {
  /** In upper case, with its accent; null when the user does not exist. */
  firstNameInitial: string | null;
}
