; JavaScript and JSX, on top of ecmascript.scm.
(field_definition
  property: (_) @name
  value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @definition.method
(field_definition property: (_) @name) @definition.field
(class_heritage (identifier) @reference.type)
(class_heritage
  (member_expression object: (_) @receiver property: (property_identifier) @reference.type))
(class_heritage (call_expression arguments: (arguments (identifier)* @reference.type)))

; Names of a function's own
(formal_parameters
  [
    (identifier) @local
    (rest_pattern (identifier) @local)
    (assignment_pattern left: (identifier) @local)
    (object_pattern
      [
        (shorthand_property_identifier_pattern) @local
        (pair_pattern key: (_) @ignore value: (identifier) @local)
        (object_assignment_pattern left: (shorthand_property_identifier_pattern) @local)
        (rest_pattern (identifier) @local)
      ]*)
    (array_pattern (identifier)* @local)
  ]*)
