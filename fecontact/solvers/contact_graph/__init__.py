"""Contact problems by the graph of their contacts: compiled, without the matrix of all rows.

As `solvers.complementarity`, with W = J G^T: J_i (3, k) are normal and tangents of contact i over
the k dofs that its impulses move, G_i (3, k) the changes of these dofs per impulse. Sweeps go over
the velocities x = sum G_i^T L_i of the dofs, so a contact costs as many operations as it has dofs,
not as there are contacts:

    u_i = b_i + J_i x,      L_i -> prox,      x -> x + G_i^T dL_i .

Sweeps, Newton steps and coefficients follow each other as there; Lemke's method is not known here.
"""
