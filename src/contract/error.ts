import { errorCodes } from '../domain/errors.ts';
import { component, ref } from './component.ts';
import { Type } from './type.ts';

export const ErrorCode = component(
  'ErrorCode',
  Type.Enum(errorCodes, { type: 'string', description: 'A stable code to branch on.' }),
);

export const ErrorObject = component(
  'ErrorObject',
  Type.Object(
    {
      code: ref(ErrorCode),
      message: Type.String({ description: 'What happened and what to do about it.' }),
      details: Type.Optional(
        Type.Array(
          Type.Object(
            {
              field: Type.String({ description: 'The field, parameter or check that is meant.' }),
              problem: Type.String({ description: 'What is wrong with it.' }),
            },
            { additionalProperties: false },
          ),
        ),
      ),
      requestId: Type.String({ description: 'Equal to the X-Request-Id header and to the id in the log.' }),
    },
    { additionalProperties: false },
  ),
);

export const ErrorResponse = component(
  'ErrorResponse',
  Type.Object(
    { success: Type.Literal(false), error: ref(ErrorObject) },
    {
      additionalProperties: false,
      examples: [
        {
          success: false,
          error: {
            code: 'INVALID_REQUEST',
            message: 'The body of the request is not valid: owner is missing.',
            details: [{ field: 'owner', problem: 'is missing' }],
            requestId: '6a0b1c52-3f6e-4d0c-8a55-0f3f0e6f2b77',
          },
        },
      ],
    },
  ),
);
