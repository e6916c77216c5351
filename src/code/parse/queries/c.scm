; C, and what C++ shares with it. A declared name hides in its declarator; the hook in hooks_c.cc finds it.

; Imports
(preproc_include path: (string_literal) @import.module @import.relative) @import.include
(preproc_include path: (_) @import.module) @import.include

; Definitions
(function_definition declarator: (_) @declarator body: (_) @body) @definition.function
(declaration
  declarator: [
    (function_declarator declarator: (identifier))
    (pointer_declarator declarator: (function_declarator declarator: (identifier)))
    (function_declarator
      declarator: (parenthesized_declarator (pointer_declarator declarator: (function_declarator))))
    (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier))))
  ] @declarator) @definition.function
(struct_specifier name: (type_identifier) @name body: (_) @body) @definition.struct
(union_specifier name: (type_identifier) @name body: (_) @body) @definition.struct
(enum_specifier name: (type_identifier) @name body: (_) @body) @definition.enum
(enumerator name: (identifier) @name) @definition.constant
(type_definition type: (struct_specifier !name body: (_) @body) declarator: (type_identifier) @name) @definition.struct
(type_definition type: (union_specifier !name body: (_) @body) declarator: (type_identifier) @name) @definition.struct
(type_definition type: (enum_specifier !name body: (_) @body) declarator: (type_identifier) @name) @definition.enum
(type_definition declarator: (_)+ @declarator) @definition.type
(field_declaration declarator: (_)+ @declarator) @definition.field
(declaration declarator: (_)+ @declarator) @definition.variable
(preproc_def name: (identifier) @name) @definition.macro
(preproc_function_def name: (identifier) @name value: (_)? @body) @definition.macro
(preproc_params (identifier)* @ignore)

; Names of a function's own
(parameter_declaration declarator: (_) @local.declarator)

; References
(call_expression function: (identifier) @reference.call)
(call_expression function: (field_expression argument: (_) @receiver field: (field_identifier) @reference.call))
(field_expression argument: (_) @receiver field: (field_identifier) @reference.name)
(type_identifier) @reference.type
(identifier) @reference.name

(comment) @comment
