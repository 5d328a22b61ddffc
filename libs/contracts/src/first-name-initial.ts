import { IsUUID } from 'class-validator';
import { defineCall } from './define-call';

export class FirstNameInitialQuestion {
  @IsUUID()
  userId: string;
}

export interface FirstNameInitialAnswer {
  /** In upper case, with its accent; null when the user does not exist. */
  firstNameInitial: string | null;
}

/** For accounts: the look-up of a payment reference. */
export const firstNameInitialCall = defineCall<FirstNameInitialQuestion, FirstNameInitialAnswer>(
  '/internal/first-name-initial',
  FirstNameInitialQuestion,
);
