; Imports
(variable_declaration
  (assignment_statement
    (variable_list . name: (identifier) @import.alias)
    (expression_list
      . value: (function_call
        name: (identifier) @_require
        arguments: (arguments . (string) @import.module))))
  (#eq? @_require "require")) @import.require
(function_call
  name: (identifier) @_require
  arguments: (arguments . (string) @import.module)
  (#any-of? @_require "require" "dofile" "loadfile")) @import.require

; Tests
(function_call
  name: (identifier) @_test @ignore
  arguments: (arguments . (string) @name (function_definition [(block) "end"] @body))
  (#any-of? @_test "describe" "context" "it" "test" "pending")) @definition.test

; Definitions
(function_declaration
  name: [
    (identifier) @name
    (dot_index_expression table: (_) @qualifier field: (identifier) @name)
    (method_index_expression table: (_) @qualifier method: (identifier) @name)
  ]
  [(block) "end"] @body) @definition.function
(variable_declaration
  (assignment_statement
    (variable_list . name: (identifier) @name)
    (expression_list . value: (function_definition [(block) "end"] @body)))) @definition.function
(variable_declaration (assignment_statement (variable_list name: (identifier)+ @name))) @definition.variable
(variable_declaration (variable_list name: (identifier)+ @name)) @definition.variable
(assignment_statement
  (variable_list
    . name: [
      (identifier) @name
      (dot_index_expression table: (_) @qualifier field: (identifier) @name)
    ])
  (expression_list . value: (function_definition [(block) "end"] @body))) @definition.function
(assignment_statement (variable_list name: (identifier)+ @name)) @definition.variable
(assignment_statement
  (variable_list . name: (dot_index_expression table: (identifier) @qualifier field: (identifier) @name))
  (#not-eq? @qualifier "self")) @definition.field
(field
  name: [(identifier) (string)] @name
  value: (function_definition [(block) "end"] @body)) @definition.method

; Names of a function's own
(parameters name: (identifier)* @local)
(for_generic_clause (variable_list name: (identifier)* @local))
(for_numeric_clause name: (identifier) @local)
(field name: (identifier) @ignore)
(goto_statement (identifier) @ignore)
(label_statement (identifier) @ignore)

; References
(function_call name: (identifier) @reference.call)
(function_call name: (dot_index_expression table: (_) @receiver field: (identifier) @reference.call))
(function_call name: (method_index_expression table: (_) @receiver method: (identifier) @reference.call))
(dot_index_expression table: (_) @receiver field: (identifier) @reference.name)
(identifier) @reference.name

(comment) @comment
