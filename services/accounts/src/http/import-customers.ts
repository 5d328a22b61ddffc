import type { RequestHandler } from 'express';
import { validBody } from '@fiado/shared/chassis/http/body';
import { callerOf } from '@fiado/shared/chassis/http/caller';
import { idParam } from '@fiado/shared/chassis/http/params';
import { IsNonNegativeAmount, IsArrayOf } from '@fiado/shared/contracts/decorators';
import { ValidationError } from '@fiado/shared/contracts/errors';
import { centsOf } from '@fiado/shared/money';
import { normalizePhone } from '@fiado/shared/phone';
import { IsNotEmpty, IsString, MaxLength } from 'class-validator';
import type { Context } from '../context';
import type { CustomerRow } from '../domain/import-plan';
import { importCustomers } from '../use-cases/import-customers';
import { INVALID_PHONE, IsPhoneText, IsRate, rateOf } from './request-fields';

/** Customers of one import (design 3): some 200 KB of body, half a second of work. */
const MAX_CUSTOMERS = 1000;
const MAX_TEXT = 200;

class CustomerBody {
  @IsString()
  @IsNotEmpty()
  @MaxLength(MAX_TEXT)
  externalId: string;

  @IsString()
  @IsNotEmpty()
  @MaxLength(MAX_TEXT)
  firstName: string;

  @IsString()
  @IsNotEmpty()
  @MaxLength(MAX_TEXT)
  lastNames: string;

  @IsPhoneText()
  phoneNumber: string;

  @IsNonNegativeAmount()
  creditLimit: number;

  @IsRate()
  interestRate: number;
}

export class ImportCustomersBody {
  @IsArrayOf(() => CustomerBody, { max: MAX_CUSTOMERS })
  customers: CustomerBody[];
}

/** POST /v1/admin/wholesalers/:wholesalerId/customers. */
export function handleImportCustomers(context: Context): RequestHandler {
  return async (req, res) => {
    const body = validBody(ImportCustomersBody, req, 'refuse');
    const rows = rowsOf(body, context.config.PHONE_REGION);
    const customers = await importCustomers(context, {
      by: callerOf(req),
      wholesalerId: idParam(req, 'wholesalerId', 'WHOLESALER_NOT_FOUND'),
      rows,
    });
    res.status(201).json({ customers });
  };
}

/** @throws ValidationError with a text for each phone number that is none */
function rowsOf({ customers }: ImportCustomersBody, region: string): CustomerRow[] {
  const problems: string[] = [];
  const rows = customers.map((customer, index): CustomerRow => {
    const phone = normalizePhone(customer.phoneNumber, region);
    if (phone === undefined) problems.push(`customers.${index}.${INVALID_PHONE}`);
    return {
      externalId: customer.externalId,
      firstName: customer.firstName,
      lastNames: customer.lastNames,
      phone: phone ?? '',
      creditLimitCents: centsOf(customer.creditLimit),
      interestRate: rateOf(customer.interestRate),
    };
  });
  if (problems.length > 0) throw new ValidationError(problems);
  return rows;
}
